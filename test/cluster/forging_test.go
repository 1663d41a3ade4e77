//go:build e2e

package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestMainResourceWritesCannotForgeStatus acts as a client that may update a claim, but not its status, and that tries
// to change its devices: through every old version, with every verb, by removing, damaging and forging preserved data.
// The conversion webhook alone must prevent this. With the validating webhook, the spec is unchanged too. The property
// tests of package conversion have status writes, claims that are stored in old versions, and more forgeries.
func TestMainResourceWritesCannotForgeStatus(t *testing.T) {
	for name, p := range map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": withoutBuiltIn} {
		for _, version := range versions[:len(versions)-1] {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				donor := s.createWithStatus(t, s.claimWithHiddenData(t, "donor", "rack-2/evil"))
				donorCopy := s.get(t, version, claimKind, donor.GetName())
				n := 0
				for what, forge := range forgeries {
					for verb, write := range mainVerbs {
						n++
						victim := s.createWithStatus(t, s.claimWithHiddenData(t, fmt.Sprintf("victim-%d", n), "rack-1/worker"))
						old := s.get(t, version, claimKind, victim.GetName())
						hasPreservedData := slices.Index(versions, version) < slices.Index(versions, "v1beta1")
						annotations := old.GetAnnotations()
						if hasPreservedData && (annotations[annotationPrefix+"v1-spec"] == "" ||
							annotations[annotationPrefix+"v1-status"] == "") {
							t.Fatalf("got annotations %v, want preserved spec and status", annotations)
						}
						forged := old.DeepCopy()
						forge(forged, donorCopy)
						err := write(t, s, version, old, forged)
						after := s.get(t, stored, claimKind, victim.GetName())
						equal(t, fmt.Sprintf("status with %s by %s (%v)", what, verb, err), after.Object["status"],
							victim.Object["status"])
						if p == withoutBuiltIn {
							equal(t, fmt.Sprintf("spec with %s by %s (%v)", what, verb, err), after.Object["spec"],
								victim.Object["spec"])
						} else if err != nil && !strings.Contains(err.Error(), "incomplete copy") {
							t.Errorf("%s by %s without validation: got error %v, want none, or one about an incomplete copy", what, verb,
								err)
						}
					}
				}
			})
		}
	}
}

// claimWithHiddenData returns a v1 claim whose spec and status have data that old versions can't represent: two
// requests and a pool with several segments for classic versions, and capacities for v1alpha3.
func (s space) claimWithHiddenData(t testing.TB, name, pool string) *object {
	t.Helper()
	o := s.typicalObject(t, stored, claimKind, name)
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

// forgeries change an object so that it has damaged or forged preserved data. The donor is another claim that has the
// same projection.
var forgeries = map[string]func(o, donor *object){
	"removed annotations": func(o, _ *object) { o.SetAnnotations(nil) },
	"damaged annotations": func(o, _ *object) {
		copyAnnotations(o, o, func(string) string { return `{"status":` })
	},
	"annotations of another claim": func(o, donor *object) {
		copyAnnotations(o, donor, func(value string) string { return value })
	},
	"annotations of another claim with the UID of this one": func(o, donor *object) {
		copyAnnotations(o, donor, func(value string) string {
			return strings.ReplaceAll(value, string(donor.GetUID()), string(o.GetUID()))
		})
	},
	"status and annotations of another claim": func(o, donor *object) {
		o.Object["status"] = donor.DeepCopy().Object["status"]
		copyAnnotations(o, donor, func(value string) string {
			return strings.ReplaceAll(value, string(donor.GetUID()), string(o.GetUID()))
		})
	},
	"removed status": func(o, _ *object) { delete(o.Object, "status") },
	"label of an incomplete copy": func(o, _ *object) {
		o.SetAnnotations(nil)
		o.SetLabels(map[string]string{annotationPrefix + "incomplete": "both"})
	},
}

// copyAnnotations copies claimbridge's annotations to an object, and changes their values.
func copyAnnotations(o, from *object, value func(string) string) {
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
