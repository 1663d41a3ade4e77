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

// TestFaultsAreReported checks that preflight reports no problem of a healthy cluster, and only its problems of each
// fault.
func TestFaultsAreReported(t *testing.T) {
	t.Parallel()
	p := start(t, plane.WithoutClaims)
	i := install(t, p.Config, group)
	i.etcdURL = p.Etcd()
	t.Run("healthy", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("healthy, without permissions", i.expectUnknown)
	t.Run("healthy, with the permissions on the page", i.expectPermissionsOfPage)
	t.Run("healthy, but the time limit ends", func(t *testing.T) {
		i.expect(t, fault{
			Want: []string{
				"unknown claims-can-be-read ResourceClaim",
				"unknown claims-can-be-written ResourceClaim",
				"unknown invalid-claims-are-denied ResourceClaim",
			},
			Contains: "context deadline exceeded", timeout: 1,
		})
	})
	t.Run("healthy, with the installed group", i.expectInstalledGroup)
	t.Run("the manifests are applied again", func(t *testing.T) { i.expectRepairable(t, p) })
	t.Run("an installation that becomes ready while preflight waits", i.expectWait)
	t.Run("a conversion that an uninstall left can be removed with the command of the page", i.expectRemovable)
	all := faults(t)
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
		i.stop()
		i.expect(t, fault{
			Want:     []string{"problem claims-can-be-read ResourceClaim"},
			Contains: "conversion webhook for resource.k8s.io/v1, Kind=ResourceClaim failed: ",
			skip:     []string{"claims-can-be-written", "invalid-claims-are-denied"},
		})
		// Without stored objects, only a write finds the problem.
		i.deleteStored(t)
		i.expect(t, fault{
			Want:     []string{"problem claims-can-be-written ResourceClaim"},
			Contains: "failed calling webhook",
		})
	})
}

// expect waits until preflight has the results of a fault: an API server needs a moment to observe it.
func (i *installation) expect(t *testing.T, f fault) {
	t.Helper()
	if err := await.Until(t.Context(), func() error {
		return f.differsFrom(must.Get(preflight.Run(t.Context(), i.config, preflight.Options{
			Group: i.group, Skip: f.skip, ClaimTimeout: f.timeout,
		}))(t))
	}); err != nil {
		t.Error(err)
	}
}

// differsFrom returns an error unless the results have all reasons of the fault, and no others.
func (f fault) differsFrom(results []preflight.Result) error {
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

// expectWait checks that preflight with Options.Wait repeats failing checks until they pass.
func (i *installation) expectWait(t *testing.T) {
	t.Cleanup(func() { i.restore(t) })
	i.remove(t, "endpoints")
	i.expect(t, fault{Want: []string{"problem service-has-endpoints Service " + namespace + "/" + name}})
	go func() {
		time.Sleep(3 * time.Second)
		if err := i.put(i.objects[len(i.objects)-3]); err != nil {
			t.Errorf("create the endpoints: %v", err)
		}
	}()
	options := preflight.Options{Group: i.group, Wait: time.Minute}
	started := time.Now()
	if err := (fault{}).differsFrom(must.Get(preflight.Run(t.Context(), i.config, options))(t)); err != nil {
		t.Error(err)
	}
	if duration := time.Since(started); duration > 50*time.Second {
		t.Errorf("preflight ran for %s", duration)
	}
}

// TestEveryCheckHasAFault checks that each check has a fault, and that a fault uses each call.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	covered := "group-is-not-built-in" // which needs another API server
	unused := maps.Clone(calls)
	for name, f := range faults(t) {
		covered += " " + strings.Join(f.Want, " ")
		for _, s := range f.Do {
			if delete(unused, s.Call); s.Call != "" && calls[s.Call] == nil {
				t.Errorf("%s: unknown call %q", name, s.Call)
			}
		}
	}
	for call := range unused {
		t.Errorf("no fault calls %q", call)
	}
	for _, c := range preflight.Checks {
		if !slices.Contains(strings.Fields(covered), c.Name) {
			t.Errorf("no fault fails %s", c.Name)
		}
	}
}
