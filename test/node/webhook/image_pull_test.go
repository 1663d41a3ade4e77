//go:build node

package webhook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
)

// expectPull checks that a missing image is reported as documented, and that the old replicas keep running until the
// image is corrected.
func (c *cluster) expectPull(t *testing.T) {
	const apply, missing = "claimbridge manifests --image=%s --only=server --group=" + group +
		" --certificates=self | kubectl apply --server-side -f -", "registry.example.com/nowhere:v1"
	before := c.pods(t)
	image := before[0].Spec.Containers[0].Image
	c.shell(t, fmt.Sprintf(apply, missing))
	all := must.Get(quotes.Read("../../../docs/troubleshooting.md"))(t)
	for part, above := range map[string]string{
		"Error: ErrImagePull":     "Failed to pull image",
		"Error: ImagePullBackOff": "Back-off pulling image",
	} {
		quote := must.Get(quotes.Find(all, part))(t)
		await.True(t, "the kubelet says "+part, func() bool {
			pods := c.pods(t)
			i := slices.IndexFunc(pods, func(p corev1.Pod) bool { return p.Spec.Containers[0].Image == missing })
			if i < 0 {
				return false
			}
			// with several pods, kubectl describe prints no events
			described := c.shell(t, "kubectl describe pod -n claimbridge-system "+pods[i].Name)
			return quote.IsIn(described) && strings.Contains(described, fmt.Sprintf("%s %q", above, missing))
		})
	}
	for _, old := range before {
		await.True(t, old.Name+" keeps running", func() bool {
			return slices.ContainsFunc(c.pods(t), func(p corev1.Pod) bool { return p.UID == old.UID && ready(p) })
		})
	}
	c.shell(t,
		fmt.Sprintf(apply, image)+"\nkubectl rollout status deployment/claimbridge -n claimbridge-system --timeout=3m")
	c.waitForReplicas(t, 2)
}
