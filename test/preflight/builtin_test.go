//go:build e2e

package preflight

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// An API server of today has resource.k8s.io in its own code. There the group must be named before anything is installed,
// and after; a group of one's own is as good as anywhere.
func TestBuiltInGroupIsNamed(t *testing.T) {
	t.Parallel()
	env := start(t, true)
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	before := &installation{config: env.Config, group: group}
	before.shell(t, env.KubeConfig)
	before.expectNoInstall(t, before.expect(t, fault{want: []string{builtIn}, says: "never install the definitions of resource.k8s.io here"}))

	own := install(t, env.Config, "claims.example.com")
	own.clusterFlags, own.environment = before.clusterFlags, before.environment
	own.expect(t, fault{})
	wrong := before.expect(t, fault{
		want: []string{"problem server-serves-this-group Deployment claimbridge-system/claimbridge"},
		says: "serves claims.example.com, not resource.k8s.io",
	})
	before.mend(t, fault{left: "it is the question that was wrong"}, wrong) // the command says that all is well there

	after := newInstallation(t, env.Config, group)
	after.clusterFlags, after.environment = before.clusterFlags, before.environment
	for _, object := range after.objects {
		after.eventually(t, "install "+object.GetName(), func() error { return after.put(object) })
	}
	after.available(t)
	trap := after.expect(t, fault{want: []string{builtIn}, says: "the API server serves v1 of resource.k8s.io itself, so requests for claims are answered with 404"})
	after.expectNoInstall(t, trap)
	after.remove(t, theJudge, theDefaulter, theService)
	after.expectNoInstall(t, after.expect(t, fault{want: []string{builtIn}}))
	after.mend(t, fault{left: "it is still asked about this group"}, trap)
	after.eventually(t, "read the claims of the tree", func() error {
		return after.sh(t, "kubectl api-resources --api-group=resource.k8s.io && kubectl get resourceclaims --all-namespaces")
	})
}

// expectNoInstall of the group in any remedy.
func (i *installation) expectNoInstall(t *testing.T, results []preflight.Result) {
	t.Helper()
	for _, r := range results {
		for _, f := range r.Findings {
			if strings.Contains(f.Command+f.Remedy, "manifests --group="+group) {
				t.Errorf("%s: the remedy installs the group that the API server serves: %s\n%s", r.Check.Name, f.Remedy, f.Command)
			}
		}
	}
}
