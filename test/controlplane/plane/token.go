package plane

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Token returns a token of a service account, as pods get them. It is bound to the object if there is one.
func (p *Plane) Token(ctx context.Context, namespace, account string,
	bound *authenticationv1.BoundObjectReference,
) (string, error) {
	client, err := kubernetes.NewForConfig(p.Config)
	if err != nil {
		return "", err
	}
	request := &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: bound, ExpirationSeconds: new(int64(24 * 60 * 60))},
	}
	response, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, account, request, metav1.CreateOptions{})
	return response.Status.Token, err
}
