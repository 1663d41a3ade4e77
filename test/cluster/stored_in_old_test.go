//go:build e2e

package cluster

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// The day after a version was added, etcd still has every claim in the version that was stored before; and before that day
// all are stored in what will be an old version. Who may update a claim, but not its status, changes none of either, through
// no version and with no verb, though it strips all annotations.
func TestMainWritesToClaimsStoredInOldVersionsForgeNoStatus(t *testing.T) {
	for where, conversionOnly := range map[string]bool{"conversion only": true, "judged": false} {
		for nth, storage := range versions[:len(versions)-1] {
			t.Run(where+"/"+storage, func(t *testing.T) {
				if testing.Short() && storage != "v1beta1" {
					t.Skip("-short: hundreds of claims are written in each version that was ever stored")
				}
				t.Parallel()
				p := *ownGroup
				p.name = where + " in " + storage
				p.group = storage + "." + map[bool]string{true: "unjudged", false: "judged"}[conversionOnly] + ".storage.example.com"
				p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group, ConversionOnly: conversionOnly})
				s := p.space(t)
				s.storeIn(t, storage)
				w := strippingWrites{s, storage, nth}
				waiting := w.each(t, "stays", 0)
				for name, write := range w.each(t, "now", len(mainVerbs)/2) {
					w.try(t, name, write)
				}
				s.storeIn(t, stored)
				w.stay(t, waiting) // until somebody writes them
				for name, write := range waiting {
					w.try(t, name, write)
				}
			})
		}
	}
}

// strippingWrites are writes through every version, to claims of every origin that are stored in one.
type strippingWrites struct {
	space
	storage string
	nth     int // of the versions
}

// strippingWrite of a claim, through a version.
type strippingWrite struct {
	version, verb string
	before        map[string]*object
}

// each write has a claim of its own, as it was before. A claim of each origin is written through each version once, with verbs that take
// turns: every verb is tried through every version, and on claims of every origin, in each version that they are stored in; and what is
// stored in all of them together has seen every origin, version and verb with each other.
func (w strippingWrites) each(t *testing.T, prefix string, first int) map[string]strippingWrite {
	t.Helper()
	writes := map[string]strippingWrite{}
	verbs := slices.Sorted(maps.Keys(mainVerbs))
	for i, origin := range slices.Sorted(maps.Keys(origins)) {
		for j, version := range versions {
			name := fmt.Sprintf("%s-%s-%s", prefix, origin, version)
			w.createWithStatus(t, origins[origin](t, w.space, name))
			writes[name] = strippingWrite{version, verbs[(first+w.nth+i+j)%len(verbs)], w.everyVersion(t, claimKind, name)}
		}
	}
	w.stay(t, writes)
	return writes
}

// stay in the version that they were stored in.
func (w strippingWrites) stay(t *testing.T, writes map[string]strippingWrite) {
	t.Helper()
	is := w.inEtcd(t)
	for name := range writes {
		if is[name] != w.storage {
			t.Fatalf("%s is stored in %s", name, is[name])
		}
	}
}

// origins of claims: each has in its status what some other version cannot say.
var origins = map[string]func(t testing.TB, s space, name string) *object{
	"typical-v1alpha1": func(t testing.TB, s space, name string) *object { return s.typical(t, "v1alpha1", claimKind, name) },
	"typical-v1alpha2": func(t testing.TB, s space, name string) *object { return s.typical(t, "v1alpha2", claimKind, name) },
	"hidden-v1alpha3":  func(t testing.TB, s space, name string) *object { return s.hidden(t, name, "rack-1/worker") },
	"handles-v1alpha2": func(t testing.TB, s space, name string) *object {
		return set(t, s.typical(t, "v1alpha2", claimKind, name), []any{
			map[string]any{"driverName": "nic.example.com", "data": "eth0"},
			map[string]any{"driverName": "gpu.example.com", "data": `{"gpu":"<0>"}`},
		}, "status", "allocation", "resourceHandles")
	},
	"structured-v1alpha2": func(t testing.TB, s space, name string) *object {
		return set(t, s.typical(t, "v1alpha2", claimKind, name), []any{map[string]any{"driverName": "gpu.example.com", "structuredData": map[string]any{
			"nodeName":              "worker-1",
			"vendorClassParameters": map[string]any{"apiVersion": "gpu.example.com/v1", "kind": "GpuConfig", "text": "<&>"},
			"results":               []any{map[string]any{"namedResources": map[string]any{"name": "gpu-0"}}},
		}}}, "status", "allocation", "resourceHandles")
	},
}

// try a write that may be refused, and compare what every version shows.
func (w strippingWrites) try(t *testing.T, name string, write strippingWrite) {
	t.Helper()
	was := write.before[write.version]
	is := withLabel(was, "touched", write.version)
	is.SetAnnotations(nil)
	err := mainVerbs[write.verb](t, w.space, write.version, was, is)
	now := w.everyVersion(t, claimKind, name)
	for _, version := range versions {
		equal(t, fmt.Sprintf("%s: status in %s after %s through %s (%v)", name, version, write.verb, write.version, err), shown(now[version]), shown(write.before[version]))
	}
	if err == nil {
		equal(t, name+": label", now[stored].GetLabels()["touched"], write.version)
	}
}
