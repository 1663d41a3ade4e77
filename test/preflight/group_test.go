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

// TestBuiltInGroupIsReported checks a current API server, which serves resource.k8s.io itself. Preflight reports that
// before and after an installation of this group. An installation of another group has no problems.
func TestBuiltInGroupIsReported(t *testing.T) {
	t.Parallel()
	p := startControlPlane(t, "")
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	notInstalled := &installation{config: p.Config, group: group}
	notInstalled.expect(t, fault{Want: []string{builtIn}, Contains: "the API server serves v1 of resource.k8s.io itself"})

	otherGroup := install(t, p.Config, "claims.example.com")
	otherGroup.expect(t, fault{})

	builtInGroup := newInstallation(t, p.Config, group)
	for _, object := range builtInGroup.objects {
		await.NoError(t, "install "+object.GetName(), func() error { return builtInGroup.createOrUpdate(object) })
	}
	builtInGroup.expect(t, fault{Want: []string{builtIn}})
	builtInGroup.remove(t, "validator", "defaulter", "service")
	builtInGroup.expect(t, fault{Want: []string{builtIn}})
	builtInGroup.remove(t, "claims", "templates")
	await.NoError(t, "read the claims of the API server", func() error {
		return builtInGroup.List(t.Context(), &resourcev1.ResourceClaimList{})
	})
}

// expectInstalledGroup checks that preflight without Options.Group checks the group of the Deployment, and fails if the
// Deployment does not have exactly one.
func (i *installation) expectInstalledGroup(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	run := func() ([]preflight.Result, error) { return preflight.Run(t.Context(), i.config, preflight.Options{}) }
	if results, err := run(); err != nil || slices.ContainsFunc(results, preflight.Result.Failed) {
		t.Errorf("want no failed checks, got %v, %v", results, err)
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
		t.Fatalf("want a problem of definitions-exist, got %v, %v", results, err)
	}
	for _, r := range results {
		for _, reason := range r.Reasons {
			if strings.Contains(reason, group) {
				t.Errorf("%s: the reason is about %s, want claims.example.com: %s", r.Check, group, reason)
			}
		}
	}
	for _, groups := range []string{"claims.example.com,resource.k8s.io", "*"} {
		setGroup(groups)
		i.expectNoGroup(t, groups)
	}
	i.remove(t, "deployment")
	i.expectNoGroup(t, "Deployment claimbridge in namespace claimbridge-system does not exist")
}

// expectNoGroup checks that preflight without Options.Group fails with an error that contains a text.
func (i *installation) expectNoGroup(t *testing.T, text string) {
	t.Helper()
	_, err := preflight.Run(t.Context(), i.config, preflight.Options{})
	if !errors.Is(err, preflight.ErrNoGroup) || !strings.Contains(strings.ReplaceAll(err.Error(), ", ", ","), text) {
		t.Fatalf("want ErrNoGroup with %q, got %v", text, err)
	}
}
