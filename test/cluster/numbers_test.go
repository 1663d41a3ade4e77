//go:build e2e

package cluster

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

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
