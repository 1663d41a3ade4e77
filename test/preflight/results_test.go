//go:build e2e

package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// TestFaultsAreReported checks that preflight reports no problem in a healthy cluster, and for each fault only its
// problems.
func TestFaultsAreReported(t *testing.T) {
	t.Parallel()
	p := startControlPlane(t, plane.WithoutClaims)
	i := install(t, p.Config, group)
	i.etcdURL = p.Etcd()
	t.Run("healthy", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("healthy, without permissions", i.expectAllUnknown)
	t.Run("healthy, with the documented permissions", i.expectDocumentedPermissions)
	t.Run("healthy, but reading claims times out", func(t *testing.T) {
		i.expect(t, fault{
			Want: []string{
				"unknown claims-can-be-read ResourceClaim",
				"unknown claims-can-be-written ResourceClaim",
				"unknown invalid-claims-are-denied ResourceClaim",
			},
			Contains: "context deadline exceeded", timeout: 1,
		})
	})
	t.Run("healthy, with the group of the Deployment", i.expectInstalledGroup)
	t.Run("applying the manifests again removes faults", func(t *testing.T) { i.expectManifestsRepair(t, p) })
	t.Run("preflight waits until an installation is ready", i.expectWaiting)
	t.Run("the documented patch removes a conversion that an uninstall left", i.expectRemovableConversion)
	all := readFaults(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			f := all[name]
			t.Cleanup(func() { i.restore(t) })
			i.cause(t, f)
			i.expect(t, f)
		})
	}
	t.Run("healthy again", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("a stopped server whose endpoints are ready", func(t *testing.T) {
		i.stopServer()
		i.expect(t, fault{
			Want:     []string{"problem claims-can-be-read ResourceClaim"},
			Contains: "conversion webhook for resource.k8s.io/v1, Kind=ResourceClaim failed: ",
			skip:     []string{"claims-can-be-written", "invalid-claims-are-denied"},
		})
		// Without stored objects, only a write finds the problem.
		i.deleteClaimAndTemplate(t)
		i.expect(t, fault{
			Want:     []string{"problem claims-can-be-written ResourceClaim"},
			Contains: "failed calling webhook",
		})
	})
}

// expect waits until preflight has the results of a fault. An API server needs a moment to observe a change.
func (i *installation) expect(t *testing.T, f fault) {
	t.Helper()
	options := preflight.Options{Group: i.group, Skip: f.skip, ClaimTimeout: f.timeout}
	err := await.Until(t.Context(), func() error {
		return f.compare(must.Get(preflight.Run(t.Context(), i.config, options))(t))
	})
	if err != nil {
		t.Error(err)
	}
}

// compare returns an error unless the results have all reasons of the fault, and no others.
func (f fault) compare(results []preflight.Result) error {
	var got []string
	for _, r := range results {
		for _, reason := range r.Reasons {
			text := string(r.State) + " " + r.Check + " " + reason
			if i := slices.IndexFunc(f.Want, func(want string) bool { return strings.HasPrefix(text, want) }); i >= 0 {
				text = f.Want[i]
			}
			got = append(got, text)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(f.Want, slices.Compact(got)); diff != "" {
		return fmt.Errorf("reasons (-want +got):\n%s\n%+v", diff, results)
	}
	if text := fmt.Sprint(results); !strings.Contains(text, f.Contains) {
		return fmt.Errorf("no result contains %q:\n%s", f.Contains, text)
	}
	return nil
}

// expectWaiting checks that preflight with Options.Wait repeats failing checks until they pass.
func (i *installation) expectWaiting(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	i.remove(t, "endpoints")
	i.expect(t, fault{Want: []string{"problem service-has-endpoints Service " + namespace + "/" + name}})
	go func() {
		time.Sleep(3 * time.Second)
		if err := i.createOrUpdate(i.endpointSlice()); err != nil {
			t.Errorf("create the EndpointSlice: %v", err)
		}
	}()
	options := preflight.Options{Group: i.group, Wait: time.Minute}
	started := time.Now()
	results := must.Get(preflight.Run(t.Context(), i.config, options))(t)
	if err := (fault{}).compare(results); err != nil {
		t.Error(err)
	}
	const limit = 50 * time.Second
	if duration := time.Since(started); duration > limit {
		t.Errorf("preflight ran for %s, want less than %s", duration, limit)
	}
}

// TestEveryCheckHasAFault checks that each check has a fault, and that each step function is used by a fault.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	covered := []string{"group-is-not-built-in"} // see TestBuiltInGroupIsReported
	unused := maps.Clone(stepFunctions)
	for name, f := range readFaults(t) {
		covered = append(covered, strings.Fields(strings.Join(f.Want, " "))...)
		for _, s := range f.Steps {
			if s.Function != "" && stepFunctions[s.Function] == nil {
				t.Errorf("%s: unknown function %q", name, s.Function)
			}
			delete(unused, s.Function)
		}
	}
	for function := range unused {
		t.Errorf("no fault uses the function %q", function)
	}
	for _, c := range preflight.Checks {
		if !slices.Contains(covered, c.Name) {
			t.Errorf("%s has no fault in testdata/faults", c.Name)
		}
	}
}
