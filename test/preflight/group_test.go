//go:build e2e

package preflight

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// An API server of today has resource.k8s.io in its own code. There the group must be named before
// anything is installed, and after; a group of one's own is as good as anywhere.
func TestBuiltInGroupIsNamed(t *testing.T) {
	t.Parallel()
	p := start(t, "")
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	before := &installation{config: p.Config, group: group}
	before.hasShell(t, p)
	before.expectNoInstall(t, before.expect(t, fault{
		Want: []string{builtIn},
		Says: "never install the definitions of resource.k8s.io here",
	}))

	own := install(t, p.Config, "claims.example.com")
	own.clusterFlags, own.shell = before.clusterFlags, before.shell
	own.expect(t, fault{})
	wrong := before.expect(t, fault{
		Want: []string{"problem server-serves-this-group Deployment claimbridge-system/claimbridge"},
		Says: "serves claims.example.com, not resource.k8s.io",
	})
	before.mend(t, fault{Left: "it is the question that was wrong"}, wrong) // the command says that all is well there

	after := newInstallation(t, p.Config, group)
	after.clusterFlags, after.shell = before.clusterFlags, before.shell
	for _, object := range after.objects {
		await.NoError(t, "install "+object.GetName(), func() error { return after.put(object) })
	}
	after.available(t)
	trap := after.expect(t, fault{
		Want: []string{builtIn},
		Says: "the API server serves v1 of resource.k8s.io itself, so requests for claims are answered with 404",
	})
	after.expectNoInstall(t, trap)
	after.remove(t, "judge", "defaulter", "service")
	after.expectNoInstall(t, after.expect(t, fault{Want: []string{builtIn}}))
	after.mend(t, fault{Left: "it is still asked about this group"}, trap)
	await.NoError(t, "read the claims of the tree", func() error {
		return after.sh(t,
			"kubectl api-resources --api-group=resource.k8s.io && kubectl get resourceclaims --all-namespaces")
	})
}

// expectNoInstall of the group in any remedy.
func (i *installation) expectNoInstall(t *testing.T, results []preflight.Result) {
	t.Helper()
	for _, r := range results {
		for _, f := range r.Findings {
			installs := strings.Contains(f.Remedy, "manifests --group="+group) || i.applyCommand(t, f.Remedy) != ""
			if installs {
				t.Errorf("%s: the remedy installs the group that the API server serves: %s\n%s", r.Check.Name, f.Remedy,
					f.Command)
			}
		}
	}
}

// Who names no group asks about the one that is installed. Where that is not known nothing is said about any.
func (i *installation) expectItsGroup(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	find := func() ([]preflight.Result, error) { return preflight.Run(t.Context(), i.config, preflight.Options{}) }
	if results, err := find(); err != nil || slices.ContainsFunc(results, func(r preflight.Result) bool {
		return len(r.Findings) > 0
	}) {
		t.Errorf("%v %v", results, err)
	}
	args := func(group string) {
		i.patch(t, "deployment", operation{
			Op:    "replace",
			Path:  "/spec/template/spec/containers/0/args/1",
			Value: "--group=" + group,
		})
	}
	args("claims.example.com")
	results, err := find()
	if err != nil || !slices.ContainsFunc(results, func(r preflight.Result) bool {
		return r.Check.Name == "claimbridge-is-installed" || r.Check.Name == "definitions-exist"
	}) {
		t.Fatalf("%v %v", results, err)
	}
	for _, r := range results {
		for _, f := range r.Findings {
			if strings.Contains(f.Object.Name, group) {
				t.Errorf("%s is about another group: %s", r.Check.Name, f.Object)
			}
		}
	}
	for _, several := range []string{"claims.example.com,resource.k8s.io", "*"} {
		if args(several); !i.needsGroup(t, several) {
			return
		}
	}
	i.remove(t, "deployment")
	i.needsGroup(t, "there is no Deployment claimbridge in namespace claimbridge-system")
}

func (i *installation) needsGroup(t *testing.T, says string) bool {
	t.Helper()
	_, err := preflight.Run(t.Context(), i.config, preflight.Options{})
	named := errors.Is(err, preflight.ErrNoGroup) && strings.Contains(strings.ReplaceAll(err.Error(), ", ", ","), says)
	if !named {
		t.Errorf("not ErrNoGroup with %q: %v", says, err)
	}
	return named
}
