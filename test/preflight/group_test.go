//go:build e2e

package preflight

import (
	"errors"
	"slices"
	"strings"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// TestBuiltInGroupIsReported checks a current API server, which serves resource.k8s.io itself: preflight reports it
// before and after an installation of this group. Another group works as in any cluster.
func TestBuiltInGroupIsReported(t *testing.T) {
	t.Parallel()
	p := start(t, "")
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	before := &installation{config: p.Config, group: group}
	before.expect(t, fault{Want: []string{builtIn}, Contains: "the API server serves v1 of resource.k8s.io itself"})

	other := install(t, p.Config, "claims.example.com")
	other.expect(t, fault{})

	after := newInstallation(t, p.Config, group)
	for _, object := range after.objects {
		await.NoError(t, "install "+object.GetName(), func() error { return after.put(object) })
	}
	after.expect(t, fault{Want: []string{builtIn}})
	after.remove(t, "validator", "defaulter", "service")
	after.expect(t, fault{Want: []string{builtIn}})
	after.remove(t, "claims", "templates")
	await.NoError(t, "read the claims of the API server", func() error {
		return after.List(t.Context(), &resourcev1.ResourceClaimList{})
	})
}

// expectInstalledGroup checks that preflight without a group checks the installed one, and fails if that is unknown.
func (i *installation) expectInstalledGroup(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	run := func() ([]preflight.Result, error) { return preflight.Run(t.Context(), i.config, preflight.Options{}) }
	if results, err := run(); err != nil || slices.ContainsFunc(results, preflight.Result.Failed) {
		t.Errorf("%v %v", results, err)
	}
	setGroup := func(group string) {
		i.patch(t, "deployment", operation{
			Op:    "replace",
			Path:  "/spec/template/spec/containers/0/args/1",
			Value: "--group=" + group,
		})
	}
	setGroup("claims.example.com")
	results, err := run()
	if err != nil || !slices.ContainsFunc(results, func(r preflight.Result) bool {
		return r.Check == "definitions-exist" && r.State == preflight.Problem
	}) {
		t.Fatalf("%v %v", results, err)
	}
	for _, r := range results {
		for _, reason := range r.Reasons {
			if strings.Contains(reason, group) {
				t.Errorf("%s is about another group: %s", r.Check, reason)
			}
		}
	}
	for _, several := range []string{"claims.example.com,resource.k8s.io", "*"} {
		setGroup(several)
		i.expectNoGroup(t, several)
	}
	i.remove(t, "deployment")
	i.expectNoGroup(t, "Deployment claimbridge in namespace claimbridge-system does not exist")
}

// expectNoGroup checks that preflight without a group fails with an error that contains a text.
func (i *installation) expectNoGroup(t *testing.T, text string) {
	t.Helper()
	_, err := preflight.Run(t.Context(), i.config, preflight.Options{})
	if !errors.Is(err, preflight.ErrNoGroup) || !strings.Contains(strings.ReplaceAll(err.Error(), ", ", ","), text) {
		t.Fatalf("want ErrNoGroup with %q, got %v", text, err)
	}
}
