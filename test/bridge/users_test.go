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

// users have a token that is their name. testdata/users.yaml has their permissions.
var users = []plane.User{
	{Name: "writer", Groups: []string{"writers"}},   // everything
	{Name: "nobody", Groups: []string{"strangers"}}, // no permissions
	{Name: "reader"},      // get, list, watch
	{Name: "status"},      // get claims, and write their status, with all permissions that 1.36 requires
	{Name: "status-1.35"}, // the same without the permissions of 1.36
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
	// a user of the token file with the name of a service account, but not its groups
	{Name: "system:serviceaccount:default:impostor"},
}

//go:embed testdata/users.yaml
var rights string

// Service accounts in the namespace default. The token of boundAccount is bound to a pod on the node worker.
const unboundAccount, boundAccount = "robot", "driver"

func (c *cluster) addUsers(ctx context.Context) error {
	if err := c.Apply(ctx, rights); err != nil {
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

// waitForAuthorization waits until the permissions of writers, and the policy, are in the caches of the API server.
func (c *cluster) waitForAuthorization(ctx context.Context) error {
	expected := map[string]int{
		"writer":           http.StatusCreated,
		"denied-by-policy": http.StatusUnprocessableEntity,
		boundAccount:       http.StatusCreated,
	}
	for user, want := range expected {
		r := request{
			method: http.MethodPost, path: "/apis/resource.k8s.io/v1/namespaces/default/" +
				"resourceclaimtemplates?dryRun=All", user: user,
			body: `{"metadata":{"name":"a"},"spec":{"spec":{}}}`,
		}
		if err := await.Until(ctx, func() error {
			a, err := c.send(ctx, r)
			if err != nil {
				return await.Permanent(err)
			}
			if a.status != want {
				return fmt.Errorf("%s gets %d, not %d: %s", user, a.status, want, a.body)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
