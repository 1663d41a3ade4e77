//go:build e2e

package cluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/clients"
	"github.com/claimbridge/claimbridge/test/testkit/metrics"
)

// Leftovers that are ignored mean that somebody broke or forged one, and there is an alert for them. What old clients do all
// day is neither, whether they know of the field of ours or drop it.
func TestOrdinaryWritesIgnoreNoLeftovers(t *testing.T) {
	s := builtInOff.space(t) // not in parallel: the webhook counts for all tests
	deallocates := map[string]any{"status": map[string]any{"allocation": nil, "reservedFor": nil, "deallocationRequested": nil, "driverName": nil}}
	quiet := func(what string, write func()) {
		t.Helper()
		before := s.ignored(t)
		write()
		if more := s.ignored(t) - before; more != 0 {
			t.Errorf("%s: %v leftovers were ignored", what, more)
		}
	}
	allocated := func(name string) *object { return s.createWithStatus(t, s.hidden(t, name, "rack-1/worker")) }
	for version, release := range map[string]string{"v1alpha1": "v0.26", "v1alpha2": "v0.30", "v1alpha2 of 1.28": clients.Unstructured} {
		if testing.Short() {
			break // typed clients take minutes to build
		}
		c := s.typedClient(t, release, clients.Speaks[release][0])
		name := "typed-" + release
		allocated(name)
		if release != clients.Unstructured { // what it sends back lacks structured handles, and what completes them fits no more
			quiet(version+": update", func() { c.ask(t, question{"do": "update", "name": name, "merge": labels("by", release)}) })
			quiet(version+": reserve", func() { c.ask(t, question{"do": "updateStatus", "name": name, "reserve": consumer(0)}) })
		}
		quiet(version+": deallocate", func() { c.ask(t, question{"do": "updateStatus", "name": name, "merge": deallocates}) })
		quiet(version+": delete", func() { c.ask(t, question{"do": "delete", "name": name}) })
	}
	for _, version := range versions[:len(versions)-1] {
		name := "patched-" + version
		allocated(name)
		quiet(version+": deallocate by a patch that keeps the field", func() {
			_, err := s.claims(version).Patch(t.Context(), name, types.MergePatchType, encode(t, deallocates), metav1.PatchOptions{}, "status")
			if err != nil {
				t.Error(err)
			}
		})
	}

	// A broken one does count, else none of this says anything.
	allocated("broken")
	before := s.ignored(t)
	o := s.get(t, "v1alpha1", claimKind, "broken")
	eachAnnotation(o, o, func(string) string { return "{" })
	if _, err := s.claims("v1alpha1").Update(t.Context(), o, metav1.UpdateOptions{}); err == nil {
		t.Error("a broken leftover was taken")
	}
	if s.ignored(t) == before {
		t.Error("a broken leftover is not counted")
	}
}

// ignored leftovers that the webhook has counted.
func (p *plane) ignored(t *testing.T) float64 {
	t.Helper()
	return metrics.Gather(t, p.webhook.Server.Collector()).Sum("claimbridge_conversion_leftovers_ignored_total")
}
