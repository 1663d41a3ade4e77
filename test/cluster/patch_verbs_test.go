//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func (v verbs) patchJSON(t *testing.T) {
	v.create(t, v.new(t, "json-patch"))
	patch := `[{"op":"add","path":"/metadata/labels","value":{"by":"patch"}},{"op":"test","path":"/metadata/name","value":"json-patch"}]`
	o := must.Get(v.resource.Patch(t.Context(), "json-patch", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}))(t)
	equal(t, "labels", o.GetLabels(), map[string]string{"by": "patch"})
	equal(t, "spec", o.Object["spec"], v.new(t, "").Object["spec"])
}

func (v verbs) patchMerge(t *testing.T) {
	v.create(t, v.new(t, "merge-patch"))
	patch := `{"metadata":{"annotations":{"by":"patch"}},"status":{"deallocationRequested":true}}`
	o := must.Get(v.resource.Patch(t.Context(), "merge-patch", types.MergePatchType, []byte(patch), metav1.PatchOptions{}))(t)
	equal(t, "annotations", o.GetAnnotations(), map[string]string{"by": "patch"})
	equal(t, "status, which only its own path writes", o.Object["status"], nil)
}

func (v verbs) apply(t *testing.T) {
	options := metav1.ApplyOptions{FieldManager: "verbs"}
	sent := v.new(t, "apply")
	delete(sent.Object, "status")
	created, err := v.resource.Apply(t.Context(), "apply", sent, options)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "spec", created.Object["spec"], sent.Object["spec"])
	sent.SetLabels(map[string]string{"by": "apply"})
	applied := must.Get(v.resource.Apply(t.Context(), "apply", sent, options))(t)
	equal(t, "labels", applied.GetLabels(), map[string]string{"by": "apply"})
	sent.SetLabels(nil)
	applied = must.Get(v.resource.Apply(t.Context(), "apply", sent, options))(t)
	equal(t, "labels that are no longer applied", len(applied.GetLabels()), 0)
	_, err = v.resource.Apply(t.Context(), "apply", sent, metav1.ApplyOptions{FieldManager: "another"})
	if err != nil {
		t.Errorf("applying the same values is no conflict: %v", err)
	}
}

// dryRuns answer like the real thing and leave no trace.
func (v verbs) dryRuns(t *testing.T) {
	dry := []string{metav1.DryRunAll}
	must.Get(v.resource.Create(t.Context(), v.new(t, "dry"), metav1.CreateOptions{DryRun: dry}))(t)
	if _, err := v.resource.Get(t.Context(), "dry", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a dry run created something: %v", err)
	}
	o := v.create(t, v.new(t, "dry"))
	labelled := o.DeepCopy()
	labelled.SetLabels(map[string]string{"dry": "run"})
	labelled = must.Get(v.resource.Update(t.Context(), labelled, metav1.UpdateOptions{DryRun: dry}))(t)
	equal(t, "labels of the answer", labelled.GetLabels(), map[string]string{"dry": "run"})
	if err := v.resource.Delete(t.Context(), "dry", metav1.DeleteOptions{DryRun: dry}); err != nil {
		t.Error(err)
	}
	equal(t, "what is stored", v.get(t, v.version, v.kind, "dry"), o)
}

func (v verbs) fieldValidation(t *testing.T) {
	o := v.new(t, "strict")
	set(t, o, "x", "spec", "colour")
	_, err := v.resource.Create(t.Context(), o.DeepCopy(), metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), `unknown field "spec.colour"`) {
		t.Errorf("strict: want 400 for spec.colour, got %v", err)
	}
	for _, level := range []string{metav1.FieldValidationIgnore, metav1.FieldValidationWarn} {
		dropped, err := v.resource.Create(t.Context(), o.DeepCopy(),
			metav1.CreateOptions{FieldValidation: level, DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			t.Fatalf("%s: %v", level, err)
		}
		equal(t, level, dropped.Object["spec"], v.new(t, "").Object["spec"])
	}
}
