//go:build e2e

package cluster

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// olderVersions cannot represent all fields of v1.
var olderVersions = versions[:slices.Index(versions, "v1beta1")]

// TestRestoredSpecsGetDefaultsAndAreValidated checks that a spec that is restored from an annotation is stored like a
// create through v1, or rejected.
func TestRestoredSpecsGetDefaultsAndAreValidated(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	exactly := func(fields map[string]any) map[string]any {
		request := map[string]any{"deviceClassName": "gpu.example.com"}
		for name, value := range fields {
			request[name] = value
		}
		return map[string]any{
			"devices": map[string]any{"requests": []any{map[string]any{"name": "claim", "exactly": request}}},
		}
	}
	parameters := exactly(nil)
	parameters["devices"].(map[string]any)["config"] = []any{map[string]any{"opaque": map[string]any{
		"driver": "gpu.example.com", "parameters": map[string]any{"text": strings.Repeat("x", 10_300)},
	}}}
	for name, test := range map[string]struct {
		spec     map[string]any
		rejected bool
		// in lists the versions for which the spec of the test is a projection of the v1 spec. If it is nil, all are.
		in []string
	}{
		"no-defaults": {spec: exactly(nil)},
		"count-0":     {spec: exactly(map[string]any{"allocationMode": "ExactCount", "count": int64(0)})},
		"empty-mode":  {spec: exactly(map[string]any{"allocationMode": "", "count": int64(0)})},
		"quantity": {
			spec: exactly(map[string]any{"capacity": map[string]any{"requests": map[string]any{"memory": "9000Ei"}}}),
		},
		"no-expression": {
			spec:     exactly(map[string]any{"derivedAttributes": []any{map[string]any{"name": "example.com/a"}}}),
			rejected: true,
		},
		"parameters": {spec: parameters, rejected: true, in: []string{"v1alpha1", "v1alpha2"}},
		"negative-count": {
			spec:     exactly(map[string]any{"count": int64(-1)}),
			rejected: true,
			in:       []string{"v1alpha1", "v1alpha2"},
		},
		"null-alternatives": {
			spec:     map[string]any{"devices": map[string]any{"requests": []any{nil}}},
			rejected: true,
			in:       []string{"v1alpha1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			claim := s.inNamespace(&object{Object: map[string]any{"spec": test.spec}}, stored, claimKind, name)
			created, err := s.claims(stored).Create(t.Context(), claim, metav1.CreateOptions{})
			if rejected := err != nil; rejected != test.rejected {
				t.Fatalf("create through %s: got error %v, want rejected %t", stored, err, test.rejected)
			}
			for _, version := range olderVersions {
				if test.in != nil && !slices.Contains(test.in, version) {
					continue
				}
				spec := map[string]any{"resourceClassName": "gpu.example.com"}
				if version == "v1alpha3" {
					spec = map[string]any{"devices": map[string]any{"requests": []any{
						map[string]any{"name": "claim", "deviceClassName": "gpu.example.com"},
					}}}
				}
				o := s.inNamespace(&object{Object: map[string]any{"spec": spec}}, version, claimKind, name+"-"+version)
				o.SetAnnotations(map[string]string{
					annotationPrefix + "v1-spec": string(must.Get(json.Marshal(test.spec))(t)),
				})
				_, err := s.claims(version).Create(t.Context(), o, metav1.CreateOptions{})
				switch {
				case test.rejected:
					expectInvalid(t, err, "metadata.annotations", annotationPrefix)
				case err != nil:
					t.Errorf("create through %s: got %v, want no error", version, err)
				default:
					equal(t, "spec created through "+version, s.get(t, stored, claimKind, o.GetName()).Object["spec"],
						created.Object["spec"])
				}
			}
		})
	}
}

// TestValuesKeepTheirMeaning checks that a write of a label through any version does not change the values of
// quantities and times.
func TestValuesKeepTheirMeaning(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	o := s.claimWithHiddenData(t, "a", "rack-1/worker")
	requests := nested(o, "spec", "devices", "requests").([]any)
	request := requests[0].(map[string]any)["exactly"].(map[string]any)
	request["capacity"] = map[string]any{"requests": map[string]any{"most": "9000Ei", "least": "1e-12", "half": "0.5"}}
	set(t, o, requests, "spec", "devices", "requests")
	set(t, o, "2026-01-01T01:00:00.5+01:00", "status", "allocation", "allocationTimestamp")
	created := s.createWithStatus(t, o)
	for _, version := range versions[:len(versions)-1] {
		patch := []byte(`{"metadata":{"labels":{"written-through":"` + version + `"}}}`)
		must.Get(s.claims(version).Patch(t.Context(), "a", types.MergePatchType, patch, metav1.PatchOptions{}))(t)
		now := s.get(t, stored, claimKind, "a")
		path := []string{"spec", "devices", "requests"}
		capacity := nested(now, path...).([]any)[0].(map[string]any)["exactly"].(map[string]any)["capacity"]
		want := map[string]any{"requests": map[string]any{"most": "9000Ei", "least": "1e-12", "half": "0.5"}}
		if half := capacity.(map[string]any)["requests"].(map[string]any)["half"]; half == "500m" {
			want["requests"].(map[string]any)["half"] = half
		}
		equal(t, "capacity after "+version, capacity, any(want))
		timestamp := nested(now, "status", "allocation", "allocationTimestamp")
		if timestamp != "2026-01-01T00:00:00.5Z" &&
			timestamp != nested(created, "status", "allocation", "allocationTimestamp") {
			t.Errorf("timestamp after a write through %s: got %v, want an equal one", version, timestamp)
		}
	}
}

// TestReportsOfOtherDevicesAreRejected checks that device statuses must be about allocated devices, in any version and
// field.
func TestReportsOfOtherDevicesAreRejected(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	const share = "00000000-0000-4000-8000-000000000001"
	o := s.claimWithHiddenData(t, "a", "worker")
	set(t, o, []any{map[string]any{
		"request": "gpu", "driver": "gpu.example.com", "pool": "worker", "device": "gpu-0", "shareID": share,
	}}, "status", "allocation", "devices", "results")
	created := s.createWithStatus(t, o)
	report := func(device string) map[string]any {
		return map[string]any{"driver": "gpu.example.com", "pool": "worker", "device": device}
	}
	for _, version := range versions {
		written := s.get(t, version, claimKind, "a")
		switch version {
		case "v1alpha1", "v1alpha2":
			status := created.DeepCopy()
			set(t, status, []any{report("gpu-1")}, "status", "devices")
			text := must.Get(json.Marshal(status.Object["status"]))(t)
			set(t, written, "v1:"+string(text), "status", "claimbridgeLeftover")
		default:
			set(t, written, []any{report("gpu-0")}, "status", "devices")
		}
		_, err := s.claims(version).UpdateStatus(t.Context(), written, metav1.UpdateOptions{})
		expectInvalid(t, err, "status", "must be an allocated device in the claim")
		equal(t, "status after "+version, s.get(t, stored, claimKind, "a").Object["status"], created.Object["status"])
	}
}
