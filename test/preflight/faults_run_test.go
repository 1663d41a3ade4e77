//go:build e2e

package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// A healthy cluster has nothing to say, and each fault is named: that one and no other.
func TestFaultsAreNamed(t *testing.T) {
	t.Parallel()
	p := start(t, plane.WithoutClaims)
	i := install(t, p.Config, group)
	i.hasShell(t, p)
	i.etcdURL = p.Etcd()
	t.Run("healthy", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("healthy, for somebody who may read nothing", i.expectUnknown)
	t.Run("healthy, with the rights of the page", i.expectRightsOfThePage)
	t.Run("healthy, but there is no time to read", func(t *testing.T) {
		i.expect(t, fault{
			Want: []string{
				"unknown claims-can-be-read ResourceClaim resource.k8s.io",
				"unknown claims-can-be-read ResourceClaimTemplate resource.k8s.io",
			},
			Says: "could not look at all of them: 0 were read in 1ns", timeout: 1,
		})
	})
	t.Run("healthy, of the group that is installed", i.expectItsGroup)
	t.Run("a conversion that was left behind can be removed as the page says", i.expectRemovable)
	all := faults(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			f := all[name]
			t.Cleanup(func() { i.restore(t) })
			i.make(t, f)
			i.mend(t, f, i.expect(t, f))
		})
	}
	t.Run("healthy again", func(t *testing.T) { i.expect(t, fault{}) })
	t.Run("a server that hangs up, though all says that it is there", func(t *testing.T) {
		i.stop()
		i.expect(t, fault{
			Want: []string{"problem claims-can-be-read Service claimbridge-system/claimbridge"},
			Says: "so claims cannot be read in the versions",
			skip: []string{"claims-can-be-written"},
		})
		// With nothing stored nothing but a write can tell.
		i.forget(t)
		i.expect(t, fault{
			Want: []string{"problem claims-can-be-written Service claimbridge-system/claimbridge"},
			Says: "the API server cannot call it: ",
		})
	})
}

// expect what a fault shows, within the moments that an API server needs to hear of it.
func (i *installation) expect(t *testing.T, f fault) (results []preflight.Result) {
	t.Helper()
	if err := await.Until(t.Context(), func() error {
		results = must.Get(preflight.Run(t.Context(), i.config, preflight.Options{
			Group: i.group, ClusterFlags: i.clusterFlags, Skip: f.skip, ClaimTimeout: f.timeout,
		}))(t)
		return f.differsFrom(results)
	}); err != nil {
		t.Error(err)
	}
	return results
}

func (f fault) differsFrom(results []preflight.Result) error {
	var got, said []string
	for _, r := range results {
		for _, finding := range r.Findings {
			got = append(got, string(finding.Severity)+" "+r.Check.Name+" "+finding.Object.String())
			said = append(said, finding.What+"\n\t\tremedy: "+finding.Remedy+"\n\t\t  "+finding.Command)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(f.Want, got); diff != "" {
		return fmt.Errorf("findings (-want +got):\n%s\n\t%s", diff, strings.Join(said, "\n\t"))
	}
	if !strings.Contains(strings.Join(said, "\n"), f.Says) {
		return fmt.Errorf("no finding says %q:\n\t%s", f.Says, strings.Join(said, "\n\t"))
	}
	return nil
}

// A check that no fault sets off would find nothing for ever, and nobody would make a call that no fault makes.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	named, open := "group-is-not-built-in", maps.Clone(calls) // which needs another API server
	for name, f := range faults(t) {
		named += " " + strings.Join(f.Want, " ")
		for _, s := range f.Do {
			if delete(open, s.Call); s.Call != "" && calls[s.Call] == nil {
				t.Errorf("%s: nobody knows %q", name, s.Call)
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
