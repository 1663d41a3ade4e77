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

// A healthy cluster has no problem, and each fault is reported, and no other.
func TestFaultsAreNamed(t *testing.T) {
	t.Parallel()
	p := start(t, plane.WithoutClaims)
	i := install(t, p.Config, group)
	i.etcdURL = p.Etcd()
	t.Run("healthy", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("healthy, for somebody who may read nothing", i.expectUnknown)
	t.Run("healthy, with the rights of the page", i.expectRightsOfThePage)
	t.Run("healthy, but there is no time to read", func(t *testing.T) {
		i.expect(t, fault{
			Want: []string{
				"unknown claims-can-be-read ResourceClaim",
				"unknown claims-can-be-written ResourceClaim",
				"unknown invalid-claims-are-denied ResourceClaim",
			},
			Says: "context deadline exceeded", timeout: 1,
		})
	})
	t.Run("healthy, of the group that is installed", i.expectItsGroup)
	t.Run("the manifests are applied again", func(t *testing.T) { i.expectRepairable(t, p) })
	t.Run("an installation that becomes ready while preflight waits", i.expectWait)
	t.Run("a conversion that was left behind can be removed as the page says", i.expectRemovable)
	all := faults(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			f := all[name]
			t.Cleanup(func() { i.restore(t) })
			i.make(t, f)
			i.expect(t, f)
		})
	}
	t.Run("healthy again", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("a server that hangs up, though all says that it is there", func(t *testing.T) {
		i.stop()
		i.expect(t, fault{
			Want: []string{"problem claims-can-be-read ResourceClaim"},
			Says: "conversion webhook for resource.k8s.io/v1, Kind=ResourceClaim failed: ",
			skip: []string{"claims-can-be-written", "invalid-claims-are-denied"},
		})
		// With nothing stored nothing but a write can tell.
		i.forget(t)
		i.expect(t, fault{
			Want: []string{"problem claims-can-be-written ResourceClaim"},
			Says: "failed calling webhook",
		})
	})
}

// expect what a fault shows, within the moments that an API server needs to hear of it.
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

// differsFrom returns an error unless there is a reason for each that the fault wants, and no other.
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
		return fmt.Errorf("findings (-want +got):\n%s\n%+v", diff, results)
	}
	if says := fmt.Sprint(results); !strings.Contains(says, f.Says) {
		return fmt.Errorf("no finding says %q:\n%s", f.Says, says)
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
	begin := time.Now()
	if err := (fault{}).differsFrom(must.Get(preflight.Run(t.Context(), i.config, options))(t)); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 50*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Each check has a fault, and each call is used by a fault.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	named, open := "group-is-not-built-in", maps.Clone(calls) // which needs another API server
	for name, f := range faults(t) {
		named += " " + strings.Join(f.Want, " ")
		for _, s := range f.Do {
			if delete(open, s.Call); s.Call != "" && calls[s.Call] == nil {
				t.Errorf("%s: unknown call %q", name, s.Call)
			}
		}
	}
	for call := range open {
		t.Errorf("no fault calls %q", call)
	}
	for _, c := range preflight.Checks {
		if !slices.Contains(strings.Fields(named), c.Name) {
			t.Errorf("no fault sets off %s", c.Name)
		}
	}
}
