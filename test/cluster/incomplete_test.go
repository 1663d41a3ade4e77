//go:build e2e

package cluster

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestClaimsWithFullAnnotations checks that a claim whose annotations have no space for preserved data can still be
// read in an old version, with a label that names the missing parts. Clients of both versions work, as long as no
// client writes the claim without the label.
func TestClaimsWithFullAnnotations(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	requests := []any{
		map[string]any{"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu.example.com"}},
		map[string]any{"name": "nic", "exactly": map[string]any{"deviceClassName": "nic.example.com"}},
	}
	spec := map[string]any{"devices": map[string]any{"requests": requests}}
	claim := s.inNamespace(&object{Object: map[string]any{"spec": spec}}, stored, claimKind, "full")
	s.create(t, claim)

	// A manager applies a label through an old version while the copy is complete.
	must.Do(t, s.applyLabels(t, "v1alpha1", "old", map[string]string{"old": "1"}))
	// Then a manager of v1 fills the annotations.
	full := s.inNamespace(&object{Object: map[string]any{}}, stored, claimKind, "full")
	full.SetAnnotations(map[string]string{"full": strings.Repeat("x", 256<<10-len("full")-100)})
	fill := func(o *object) {
		t.Helper()
		must.Get(s.claims(stored).Apply(t.Context(), "full", o, metav1.ApplyOptions{FieldManager: "new"}))(t)
	}
	fill(full)
	before := s.get(t, stored, claimKind, "full")

	old := s.get(t, "v1alpha1", claimKind, "full")
	if old.GetLabels()["claimbridge.dev/incomplete"] != "spec" {
		t.Errorf("labels of the incomplete copy: got %v, want the missing part", old.GetLabels())
	}
	list, err := s.claims("v1alpha2").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("list: got %v, %v, want one claim", list, err)
	}
	// A write that keeps the labels is accepted. A write that drops them, or the field, is rejected with a remedy.
	checkRejected := func(what string, err error) {
		t.Helper()
		for _, want := range []string{
			"full",
			"incomplete copy",
			"the v1 spec did not fit into the annotations",
			"update the object through " + stored,
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want %q in it", what, err, want)
			}
		}
	}
	must.Do(t, s.applyLabels(t, "v1alpha1", "old", map[string]string{"old": "2"}))
	old = s.get(t, "v1alpha1", claimKind, "full")
	must.Get(s.claims("v1alpha1").Update(t.Context(), withLabel(old, "other", "1"), metav1.UpdateOptions{}))(t)
	must.Get(s.claims("v1alpha2").Patch(t.Context(), "full", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"other":null}}}`), metav1.PatchOptions{}))(t)
	must.Do(t, s.applyLabels(t, "v1alpha1", "old", map[string]string{"old": "1"}))
	old = s.get(t, "v1alpha1", claimKind, "full")
	stripped := old.DeepCopy()
	stripped.SetLabels(map[string]string{"old": "1"})
	stripped.SetAnnotations(nil)
	_, err = s.claims("v1alpha1").Update(t.Context(), stripped, metav1.UpdateOptions{})
	checkRejected("update without labels and annotations", err)
	stripped = old.DeepCopy()
	stripped.Object["status"] = map[string]any{}
	_, err = s.claims("v1alpha1").UpdateStatus(t.Context(), stripped, metav1.UpdateOptions{})
	checkRejected("update of the status without the field", err)
	after := s.get(t, stored, claimKind, "full")
	equal(t, "the stored spec", after.Object["spec"], before.Object["spec"])
	equal(t, "the stored status", after.Object["status"], before.Object["status"])
	equal(t, "the stored labels", after.GetLabels(), before.GetLabels())

	// Both managers continue, and own the same fields as before.
	must.Do(t, s.applyLabels(t, stored, "labels", map[string]string{"newer": "1"}))
	fields := managedFields(s.get(t, stored, claimKind, "full"), "old")
	if fields != `{"f:metadata":{"f:labels":{"f:old":{}}}}` {
		t.Errorf("managed fields of the old manager: got %s, want its label", fields)
	}
	// When the annotations have space again, the copy is complete.
	full.SetAnnotations(nil)
	fill(full)
	s.waitForWatchCache(t, "v1alpha1")
	must.Do(t, s.applyLabels(t, "v1alpha1", "old", map[string]string{"old": "3"}))
	after = s.get(t, stored, claimKind, "full")
	equal(t, "spec", after.Object["spec"], before.Object["spec"])
	equal(t, "labels", after.GetLabels(), map[string]string{"old": "3", "newer": "1"})

	full.SetAnnotations(map[string]string{"full": strings.Repeat("x", 256<<10-len("full")-100)})
	fill(full)
	// A delete starts with the object in the watch cache of its version.
	s.waitForWatchCache(t, "v1alpha1")
	if err := s.claims("v1alpha1").Delete(t.Context(), "full", metav1.DeleteOptions{}); err != nil {
		t.Errorf("delete: got %v, want no error", err)
	}
}

// waitForWatchCache waits until the watch cache of a version has all writes. A write starts with the cached object: an
// outdated one causes a conflict and a retry, but one that cannot be stored causes an error.
func (s space) waitForWatchCache(t *testing.T, version string) {
	t.Helper()
	o := s.get(t, stored, claimKind, "full")
	must.Get(s.claims(version).List(t.Context(), metav1.ListOptions{ResourceVersion: o.GetResourceVersion()}))(t)
}

// applyLabels sets labels of the claim by server-side apply.
func (s space) applyLabels(t *testing.T, version, manager string, labels map[string]string) error {
	t.Helper()
	o := s.inNamespace(&object{Object: map[string]any{}}, version, claimKind, "full")
	o.SetLabels(labels)
	_, err := s.claims(version).Apply(t.Context(), "full", o, metav1.ApplyOptions{FieldManager: manager})
	return err
}

// withLabel returns a copy with a label, or without it if the value is empty.
func withLabel(o *object, key, value string) *object {
	o = o.DeepCopy()
	labels := o.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	if labels[key] = value; value == "" {
		delete(labels, key)
	}
	o.SetLabels(labels)
	return o
}

func managedFields(o *object, manager string) string {
	for _, entry := range o.GetManagedFields() {
		if entry.Manager == manager {
			return string(entry.FieldsV1.GetRawBytes())
		}
	}
	return ""
}
