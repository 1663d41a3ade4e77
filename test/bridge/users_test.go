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

// users by token, and what they may; testdata/users.yaml gives them their rights.
var users = []plane.User{
	{Name: "writer", Groups: []string{"writers"}},   // everything with the kinds that are served
	{Name: "nobody", Groups: []string{"strangers"}}, // nothing
	{Name: "reader"},     // get, list, watch
	{Name: "status"},     // get claims, and write their status with all that 1.36 asks for
	{Name: "barestatus"}, // the same without the rights of 1.36
	{Name: "patcher"},    // patch, and nothing else
	{Name: "creator"},    // create, and nothing else
	{Name: "updater"},    // update, and nothing else
	{Name: "deleter"},    // delete and deletecollection
	{Name: "mallory", Groups: []string{"writers"}}, // what a writer may, but for a policy that denies by name
	{Name: "many", Groups: []string{"g1", "g2", "g3", "g4", "g5", "writers"}},
	{Name: "system:node:worker", Groups: []string{"system:nodes"}},
	{Name: "system:node:other", Groups: []string{"system:nodes"}},
	{Name: "conformer", Groups: []string{"writers", "testers"}}, // a writer who makes namespaces as well
	{Name: "root", Groups: []string{"system:masters"}},
	// says so by a token of the file, and has no groups of service accounts
	{Name: "system:serviceaccount:default:impostor"},
}

//go:embed testdata/users.yaml
var rights string

// accounts in the namespace default. The driver's token is bound to a pod on the node worker.
const robot, driver = "robot", "driver"

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
		ObjectMeta: metav1.ObjectMeta{Name: driver},
		Spec: corev1.PodSpec{
			NodeName:           "worker",
			ServiceAccountName: driver,
			Containers:         []corev1.Container{{Name: "driver", Image: "driver"}},
		},
	}
	if pod, err = client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	if c.tokens[robot], err = c.Token(ctx, "default", robot, nil); err != nil {
		return err
	}
	bound := &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: driver, UID: pod.UID}
	if c.tokens[driver], err = c.Token(ctx, "default", driver, bound); err != nil {
		return err
	}
	return c.untilRightsCount(ctx)
}

// untilRightsCount waits until the last of them have reached the API server's caches: the writers', and the policy.
func (c *cluster) untilRightsCount(ctx context.Context) error {
	wanted := map[string]int{
		"writer":  http.StatusCreated,
		"mallory": http.StatusUnprocessableEntity,
		driver:    http.StatusCreated,
	}
	for user, want := range wanted {
		r := request{
			method: http.MethodPost, path: "/apis/resource.k8s.io/v1/namespaces/default/" +
				"resourceclaimtemplates?dryRun=All", as: user,
			body: `{"metadata":{"name":"a"},"spec":{"spec":{}}}`,
		}
		if err := await.Until(ctx, func() error {
			a, err := c.send(ctx, r)
			if err != nil {
				return await.InVain(err)
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
