//go:build e2e

package cluster

import (
	"encoding/json"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	claims "github.com/claimbridge/claimbridge/api"
)

// A typed client reads into structs and writes what they hold: zero values come, unknown fields go. Whatever it writes to
// the claim, it loses nothing.
func TestTypedClientsLoseNothing(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := builtInOff.space(t)
			claim := s.createWithStatus(t, s.hidden(t, "typed", "rack-1/worker"))
			typed := claims.New(version, claimKind)
			old := s.get(t, version, claimKind, "typed")
			old.Object["status"] = shown(old) // the structs of the time had no such field
			convertByJSON(t, old, typed)
			written := &object{}
			convertByJSON(t, typed, written)
			written.SetLabels(map[string]string{"by": "typed"})
			updated, err := s.claims(version).Update(t.Context(), written, metav1.UpdateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			written.SetResourceVersion(updated.GetResourceVersion())
			s.writeStatus(t, written)
			now := s.get(t, stored, claimKind, "typed")
			equal(t, "spec", now.Object["spec"], claim.Object["spec"])
			equal(t, "status", now.Object["status"], claim.Object["status"])
			equal(t, "annotations", now.GetAnnotations(), claim.GetAnnotations())
			equal(t, "labels", now.GetLabels(), map[string]string{"by": "typed"})
		})
	}
}

func convertByJSON(t *testing.T, from, to any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
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
	_, err := s.claims(stored).Patch(t.Context(), "numbers", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
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
