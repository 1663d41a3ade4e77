//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// An API server stores `<`, `>`, `&` and U+2028 escaped and sorts members. That is another spelling of the same values: what
// was written in an old version is all that is read in it, with nothing beside it, and what is stored for it is ours alone.
func TestHandlesInAnySpellingLeaveNothingOver(t *testing.T) {
	t.Parallel()
	const spelt = "{\"z\":\"<script>&amp;\u2028\u2029é🚀\",\"a\":\"\\u003c\\\"\"}"
	parameters := map[string]any{"kind": "Zed", "apiVersion": "gpu.example.com/v1", "text": spelt, "a": map[string]any{"z": "<", "a": "&"}}
	handles := func(handles ...any) any { return handles }
	tests := map[string]struct {
		version string
		handles any
	}{
		"one handle of v1alpha1":      {"v1alpha1", spelt},
		"one handle of v1alpha2":      {"v1alpha2", handles(map[string]any{"driverName": "gpu.example.com", "data": spelt})},
		"handles of several drivers":  {"v1alpha2", handles(map[string]any{"driverName": "gpu.example.com", "data": spelt}, map[string]any{"driverName": "nic.example.com", "data": "<>&" + spelt})},
		"a structured handle":         {"v1alpha2", handles(structured("gpu.example.com", parameters))},
		"structured and others":       {"v1alpha2", handles(structured("gpu.example.com", parameters), map[string]any{"driverName": "nic.example.com", "data": spelt})},
		"structured ones, of drivers": {"v1alpha2", handles(structured("gpu.example.com", parameters), structured("nic.example.com", parameters))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := builtInOff.space(t)
			o := s.typical(t, test.version, claimKind, "spelt")
			delete(o.Object["spec"].(map[string]any), "parametersRef")
			field := map[string]string{"v1alpha1": "resourceHandle", "v1alpha2": "resourceHandles"}[test.version]
			set(t, o, test.handles, "status", "allocation", field)
			s.createWithStatus(t, o)
			for range 2 { // as it was written, and written back as it was read
				read := s.get(t, test.version, claimKind, "spelt")
				equal(t, "status", shown(read), o.Object["status"])
				equal(t, "annotations", len(read.GetAnnotations()), 0)
				if left, _ := nested(read, "status", "claimbridgeLeftover").(string); left != "v1:nothing" {
					t.Errorf("left over: %s", left)
				}
				if test.version == "v1alpha1" {
					equal(t, "annotations in v1alpha2", len(s.get(t, "v1alpha2", claimKind, "spelt").GetAnnotations()), 0)
				}
				s.onlyOurDriver(t, s.get(t, stored, claimKind, "spelt"))
				s.labelled(t, test.version, claimKind, "spelt")
			}
		})
	}
}

func structured(driver string, parameters map[string]any) any {
	return map[string]any{"driverName": driver, "structuredData": map[string]any{
		"nodeName": "worker-1", "vendorClassParameters": parameters, "vendorClaimParameters": parameters,
		"results": []any{map[string]any{"namedResources": map[string]any{"name": "gpu-0"}}},
	}}
}

// onlyOurDriver has configuration of ours: under its own name a driver that decodes strictly fails on a kind it does not
// know.
func (s space) onlyOurDriver(t *testing.T, o *object) {
	t.Helper()
	ours := 0
	for _, path := range [][]string{{"spec", "devices", "config"}, {"status", "allocation", "devices", "config"}} {
		entries, _ := nested(o, path...).([]any)
		for _, e := range entries {
			entry := &object{Object: e.(map[string]any)}
			version, _ := nested(entry, "opaque", "parameters", "apiVersion").(string)
			driver, _ := nested(entry, "opaque", "driver").(string)
			if is := strings.HasPrefix(version, "claimbridge.dev/"); is != (driver == "claimbridge.dev") {
				t.Errorf("%s: parameters of %s for the driver %s", strings.Join(path, "."), version, driver)
			} else if is {
				ours++
			}
		}
	}
	t.Logf("%d entries of ours", ours)
}

// Whatever is stored for what only an old version can say is for our own driver.
func TestEntriesOfOursAreForNoOtherDriver(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	for name, origin := range origins {
		s.createWithStatus(t, origin(t, s, name))
		s.onlyOurDriver(t, s.get(t, stored, claimKind, name))
	}
}

// Numbers in opaque parameters are JSON numbers of a custom resource: integers of 64 bits stay, what is greater or has a
// fraction comes back as a double, in every version alike. The built-in API kept the bytes.
func TestNumbersInParameters(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	s.create(t, s.typical(t, stored, claimKind, "numbers"))
	patch := `[{"op":"add","path":"/status","value":{"allocation":{"devices":{
		"results":[{"request":"gpu","driver":"gpu.example.com","pool":"p","device":"d"}],
		"config":[{"source":"FromClass","opaque":{"driver":"gpu.example.com","parameters":{"safe":9007199254740993,"huge":123456789012345678901,"f":1.50}}}]}}}}]`
	must.Get(s.claims(stored).Patch(t.Context(), "numbers", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}, "status"))(t)
	old := s.get(t, "v1alpha2", claimKind, "numbers")
	handles, _, _ := unstructured.NestedSlice(old.Object, "status", "allocation", "resourceHandles")
	if len(handles) != 1 {
		t.Fatalf("handles: %v", handles)
	}
	want := map[string]any{"safe": int64(9007199254740993), "huge": 123456789012345678901.0, "f": 1.5}
	parameters, _, _ := unstructured.NestedFieldNoCopy(handles[0].(map[string]any), "structuredData", "vendorClassParameters")
	equal(t, "parameters in v1alpha2", parameters, any(want))
	// The old copy writes them back as they are.
	if _, err := s.claims("v1alpha2").UpdateStatus(t.Context(), old, metav1.UpdateOptions{}); apierrors.IsInvalid(err) {
		t.Errorf("the same numbers count as a change: %v", err)
	} else if err != nil {
		t.Error(err)
	}
}
