//go:build e2e

package cluster

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Who takes an allocation away and knows nothing of what drivers report of devices leaves the reports: an API server takes those of
// its own claims away as well, and nobody does of a custom resource. Writes of the claim through older versions keep them, and
// one that strips the annotation in which they travel is refused.
func TestReportsOutliveTheirAllocation(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	o := s.typical(t, stored, claimKind, "reported")
	status := o.Object["status"].(map[string]any)
	results := status["allocation"].(map[string]any)["devices"].(map[string]any)["results"].([]any)
	result := results[0].(map[string]any)
	status["devices"] = []any{map[string]any{"driver": result["driver"], "pool": result["pool"], "device": result["device"]}}
	o = s.createWithStatus(t, o)
	o.Object["status"] = map[string]any{"devices": o.Object["status"].(map[string]any)["devices"]}
	o = s.writeStatus(t, o)
	reports := o.Object["status"]
	for _, version := range versions {
		old := s.get(t, version, claimKind, "reported")
		updated, err := s.claims(version).Update(t.Context(), withLabel(old, "through", version), metav1.UpdateOptions{})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		equal(t, "the status after a write through "+version, s.get(t, stored, claimKind, "reported").Object["status"], reports)
		s.writeStatus(t, updated)
		equal(t, "the status after a write of it through "+version, s.get(t, stored, claimKind, "reported").Object["status"], reports)
	}
	for _, version := range []string{"v1alpha1", "v1alpha2"} {
		stripped := s.get(t, version, claimKind, "reported")
		stripped.SetAnnotations(nil)
		if _, err := s.claims(version).Update(t.Context(), stripped, metav1.UpdateOptions{}); !apierrors.IsInvalid(err) {
			t.Errorf("%s without its annotations: %v", version, err)
		}
	}
}
