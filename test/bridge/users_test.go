//go:build e2e

package bridge

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// users are the users of all clusters. The token of a user is its name. testdata/users.yaml has the permissions.
var users = []plane.User{
	{Name: "writer", Groups: []string{"writers"}},   // everything
	{Name: "nobody", Groups: []string{"strangers"}}, // no permissions
	{Name: "reader"},      // get, list, watch
	{Name: "status"},      // get claims, and write their status, with all permissions that 1.36 requires
	{Name: "status-1.35"}, // like status, without the permissions that 1.36 requires
	{Name: "patcher"},     // patch, and nothing else
	{Name: "creator"},     // create, and nothing else
	{Name: "updater"},     // update, and nothing else
	{Name: "deleter"},     // delete and deletecollection
	{Name: "denied-by-policy", Groups: []string{"writers"}}, // a writer whom a policy denies by name
	{Name: "many-groups", Groups: []string{"g1", "g2", "g3", "g4", "g5", "writers"}},
	{Name: "system:node:worker", Groups: []string{"system:nodes"}},
	{Name: "system:node:other", Groups: []string{"system:nodes"}},
	{Name: "conformance", Groups: []string{"writers", "testers"}}, // a writer who also creates namespaces
	{Name: "root", Groups: []string{"system:masters"}},
	// a user in the token file with the name of a service account, but without its groups
	{Name: "system:serviceaccount:default:impostor"},
}

//go:embed testdata/users.yaml
var permissions string

// Service accounts in the namespace default. The token of boundAccount is bound to a pod on the node worker.
const unboundAccount, boundAccount = "robot", "driver"

// addUsers creates the permissions, the service accounts and their tokens.
func (c *cluster) addUsers(ctx context.Context) error {
	if err := c.Apply(ctx, permissions); err != nil {
		return err
	}
	c.tokens = map[string]string{"": "writer"}
	for _, u := range users {
		c.tokens[u.Name] = u.Name
	}
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: boundAccount},
		Spec: corev1.PodSpec{
			NodeName:           "worker",
			ServiceAccountName: boundAccount,
			Containers:         []corev1.Container{{Name: "driver", Image: "driver"}},
		},
	}
	if pod, err = client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	if c.tokens[unboundAccount], err = c.Token(ctx, "default", unboundAccount, nil); err != nil {
		return err
	}
	podReference := &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: boundAccount, UID: pod.UID}
	if c.tokens[boundAccount], err = c.Token(ctx, "default", boundAccount, podReference); err != nil {
		return err
	}
	return c.waitForAuthorization(ctx)
}

// waitForAuthorization waits until the permissions of writers and the admission policy are in the API server's caches.
func (c *cluster) waitForAuthorization(ctx context.Context) error {
	wantStatuses := map[string]int{
		"writer":           http.StatusCreated,
		"denied-by-policy": http.StatusUnprocessableEntity,
		boundAccount:       http.StatusCreated,
	}
	for user, want := range wantStatuses {
		r := request{
			method: http.MethodPost,
			path:   "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates?dryRun=All",
			user:   user,
			body:   `{"metadata":{"name":"a"},"spec":{"spec":{}}}`,
		}
		if err := await.Until(ctx, func() error {
			resp, err := c.send(ctx, r)
			if err != nil {
				return await.Permanent(err)
			}
			if resp.status != want {
				return fmt.Errorf("dry run of %s: got status %d, want %d: %s", user, resp.status, want, resp.body)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
