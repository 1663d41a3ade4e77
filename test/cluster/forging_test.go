//go:build e2e

package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A client that may update a claim, but not its status, tries to change its devices: through every old version, with
// every verb, by removing, damaging and forging preserved data. The conversion webhook alone must prevent this. With
// the validating webhook, the spec stays too. The property tests of package conversion have status writes, claims that
// are stored in old versions, and more forgeries.
func TestWritesOfTheMainResourceForgeNoStatus(t *testing.T) {
	for name, p := range map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": builtInOff} {
		for _, version := range versions[:len(versions)-1] {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				donor := s.createWithStatus(t, s.claimWithHiddenData(t, "donor", "rack-2/evil"))
				theirs := s.get(t, version, claimKind, donor.GetName())
				n := 0
				for what, forge := range forgeries {
					for verb, write := range mainVerbs {
						n++
						victim := s.createWithStatus(t, s.claimWithHiddenData(t, fmt.Sprintf("victim-%d", n), "rack-1/worker"))
						old := s.get(t, version, claimKind, victim.GetName())
						leftovers := slices.Index(versions, version) < slices.Index(versions, "v1beta1")
						copies := old.GetAnnotations()
						if leftovers && (copies[annotationPrefix+"v1-spec"] == "" ||
							copies[annotationPrefix+"v1-status"] == "") {
							t.Fatalf("there is nothing to forge: %v", copies)
						}
						forged := old.DeepCopy()
						forge(forged, theirs)
						err := write(t, s, version, old, forged)
						now := s.get(t, stored, claimKind, victim.GetName())
						equal(t, fmt.Sprintf("status after %s by %s (%v)", what, verb, err), now.Object["status"],
							victim.Object["status"])
						if p == builtInOff {
							equal(t, fmt.Sprintf("spec after %s by %s (%v)", what, verb, err), now.Object["spec"],
								victim.Object["spec"])
						} else if err != nil && !strings.Contains(err.Error(), "incomplete copy") {
							t.Errorf("nothing validates here, but %s by %s: %v", what, verb, err)
						}
					}
				}
			})
		}
	}
}

// claimWithHiddenData returns a claim of v1 with data in spec and status that old versions can't represent: for classic
// ones two requests and a pool with several segments, for v1alpha3 capacities.
func (s space) claimWithHiddenData(t testing.TB, name, pool string) *object {
	t.Helper()
	o := s.typical(t, stored, claimKind, name)
	o.Object["spec"] = map[string]any{"devices": map[string]any{"requests": []any{
		map[string]any{"name": "gpu", "exactly": map[string]any{
			"deviceClassName": "gpu.example.com",
			"allocationMode":  "ExactCount",
			"count":           int64(1),
			"capacity":        map[string]any{"requests": map[string]any{"memory": "1Gi"}},
		}},
		map[string]any{
			"name": "nic",
			"exactly": map[string]any{
				"deviceClassName": "nic.example.com", "allocationMode": "ExactCount", "count": int64(2),
			},
		},
	}}}
	return set(t, o, []any{
		map[string]any{
			"request":          "gpu",
			"driver":           "gpu.example.com",
			"pool":             pool,
			"device":           "gpu-0",
			"consumedCapacity": map[string]any{"memory": "1Gi"},
		},
	}, "status", "allocation", "devices", "results")
}

const annotationPrefix = "claimbridge.dev/"

// forgeries returns forged copies, with preserved data of another claim that has the same projection.
var forgeries = map[string]func(o, theirs *object){
	"stripping annotations": func(o, _ *object) { o.SetAnnotations(nil) },
	"breaking annotations": func(o, _ *object) {
		eachAnnotation(o, o, func(string) string { return `{"status":` })
	},
	"taking the annotations of another claim": func(o, theirs *object) {
		eachAnnotation(o, theirs, func(value string) string { return value })
	},
	"taking the annotations of another claim under the uid of this one": func(o, theirs *object) {
		eachAnnotation(o, theirs, func(value string) string {
			return strings.ReplaceAll(value, string(theirs.GetUID()), string(o.GetUID()))
		})
	},
	"taking the status of another claim, and its annotations": func(o, theirs *object) {
		o.Object["status"] = theirs.DeepCopy().Object["status"]
		eachAnnotation(o, theirs, func(value string) string {
			return strings.ReplaceAll(value, string(theirs.GetUID()), string(o.GetUID()))
		})
	},
	"dropping the status, and its field": func(o, _ *object) { delete(o.Object, "status") },
	"saying that the copy is incomplete": func(o, _ *object) {
		o.SetAnnotations(nil)
		o.SetLabels(map[string]string{annotationPrefix + "incomplete": "both"})
	},
}

// eachAnnotation returns forged annotations of claimbridge, with the content of another claim.
func eachAnnotation(o, from *object, value func(string) string) {
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	for k, v := range from.GetAnnotations() {
		if strings.HasPrefix(k, annotationPrefix) {
			annotations[k] = value(v)
		}
	}
	o.SetAnnotations(annotations)
}
