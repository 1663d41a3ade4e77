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

// A current API server serves resource.k8s.io itself. There, the group is required before and after an installation,
// and another group works as in any cluster.
func TestBuiltInGroupIsNamed(t *testing.T) {
	t.Parallel()
	p := start(t, "")
	const builtIn = "problem group-is-not-built-in API group resource.k8s.io"

	before := &installation{config: p.Config, group: group}
	before.expect(t, fault{Want: []string{builtIn}, Says: "the API server serves v1 of resource.k8s.io itself"})

	own := install(t, p.Config, "claims.example.com")
	own.expect(t, fault{})

	after := newInstallation(t, p.Config, group)
	for _, object := range after.objects {
		await.NoError(t, "install "+object.GetName(), func() error { return after.put(object) })
	}
	after.expect(t, fault{Want: []string{builtIn}})
	after.remove(t, "validator", "defaulter", "service")
	after.expect(t, fault{Want: []string{builtIn}})
	after.remove(t, "claims", "templates")
	await.NoError(t, "read the claims of the tree", func() error {
		return after.List(t.Context(), &resourcev1.ResourceClaimList{})
	})
}

// Without a group, preflight checks the installed one. If it is unknown, preflight fails.
func (i *installation) expectItsGroup(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	find := func() ([]preflight.Result, error) { return preflight.Run(t.Context(), i.config, preflight.Options{}) }
	if results, err := find(); err != nil || slices.ContainsFunc(results, preflight.Result.Failed) {
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
