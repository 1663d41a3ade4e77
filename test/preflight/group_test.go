//go:build e2e

package preflight

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// Who names no group asks about the one that is installed. Where that is not known nothing is said about any.
func (i *installation) expectItsGroup(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	find := func() ([]preflight.Result, error) { return preflight.Run(t.Context(), i.config, preflight.Options{}) }
	if results, err := find(); err != nil || slices.ContainsFunc(results, func(r preflight.Result) bool { return len(r.Findings) > 0 }) {
		t.Errorf("%v %v", results, err)
	}
	args := func(group string) {
		i.change(t, theDeployment, func() { theDeployment.Spec.Template.Spec.Containers[0].Args[1] = "--group=" + group })
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
	i.remove(t, theDeployment)
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
