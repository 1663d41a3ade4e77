//go:build node

package drivers

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/testkit/docs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// testPodOfPage runs the Pod of docs/bridge.md, with kubectl as its program, which watches claims in v1beta1 on a
// cluster that serves v1.
func (c *cluster) testPodOfPage(t *testing.T) {
	const name = "registry.example.com/controller:v1"
	assets := must.Get(controlplane.Assets(t.Context()))(t)
	kubectl := filepath.Join(assets, "kubectl")
	archive := must.Get(image.Build(t.Context(), t.TempDir(), name, kubectl, "--user=65532:65532"))(t)
	must.Do(t, c.Load(t.Context(), archive))

	pod := docs.YAML(t, "bridge.md", "kind: Pod\n")
	const arguments = "\n    args: [get, resourceclaims.v1beta1.resource.k8s.io, --watch, -o, name, --cache-dir=/tmp]"
	withArguments := strings.Replace(pod, "    image: "+name+" # your program", "    image: "+name+arguments, 1)
	if withArguments == pod {
		t.Fatalf("the Pod of the page has no container of image %s:\n%s", name, pod)
	}
	c.run(t, "kubectl create role claims --verb=get,list,watch --resource=resourceclaims.resource.k8s.io")
	c.run(t, "kubectl create rolebinding claims --role=claims --serviceaccount=default:default")
	c.run(t, "kubectl apply -f - <<'.'\n"+withArguments+".")
	c.run(t, "kubectl wait --for=condition=Ready pod/controller --timeout=2m")
	c.run(t, "kubectl create -f - <<'.'\n"+`apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: seen-by-the-controller
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
`+".")
	c.eventually(t, "v1beta1 claim in the log of the Pod", func() string {
		log := c.run(t, "kubectl logs controller -c controller")
		if strings.Contains(log, "resourceclaim.resource.k8s.io/seen-by-the-controller") {
			return ""
		}
		return "the log has no such claim: " + log
	})
	c.run(t, "kubectl delete pod/controller resourceclaim/seen-by-the-controller")
}
