//go:build e2e

package cluster

import (
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var statusVerbs = map[string]func(verbs, *testing.T){
	"status: update, and get":          verbs.updateStatus,
	"status: update leaves the rest":   verbs.updateOnlyStatus,
	"status: an update does not touch": verbs.updateWithoutStatus,
	"status: patch with a JSON patch":  verbs.patchStatusJSON,
	"status: patch with a merge patch": verbs.patchStatusMerge,
	"status: server-side apply":        verbs.applyStatus,
	"status: dry run":                  verbs.dryRunStatus,
	"status: field validation":         verbs.fieldValidationStatus,
}

// shown is a status without what conversion adds to those of old versions.
func shown(o *object) any {
	status, ok := o.DeepCopy().Object["status"].(map[string]any)
	if !ok {
		return nil
	}
	delete(status, "claimbridgeLeftover")
	return status
}

func (v verbs) updateStatus(t *testing.T) {
	sent := v.new(t, "status-update")
	written := v.createWithStatus(t, sent)
	equal(t, "status of the answer", shown(written), sent.Object["status"])
	read := must.Get(v.resource.Get(t.Context(), "status-update", metav1.GetOptions{}, "status"))(t)
	equal(t, "what is read at the path of the status", content(read), content(v.get(t, v.version, v.kind, "status-update")))
	equal(t, "status that is read", shown(read), sent.Object["status"])
}

func (v verbs) updateOnlyStatus(t *testing.T) {
	o := v.create(t, v.new(t, "status-only"))
	want := o.Object["spec"]
	o.Object["status"] = v.new(t, "").Object["status"]
	o.SetLabels(map[string]string{"not": "stored"})
	o.Object["spec"] = map[string]any{"resourceClassName": "another", "devices": map[string]any{}}
	written := v.writeStatus(t, o)
	equal(t, "spec", written.Object["spec"], want)
	equal(t, "labels", len(written.GetLabels()), 0)
}

func (v verbs) updateWithoutStatus(t *testing.T) {
	o := v.createWithStatus(t, v.new(t, "status-kept"))
	want := shown(o)
	delete(o.Object, "status")
	o.SetLabels(map[string]string{"a": "b"})
	updated := must.Get(v.resource.Update(t.Context(), o, metav1.UpdateOptions{}))(t)
	equal(t, "status", shown(updated), want)
}

// deallocation is the field of a status that asks for it: upstream's, or ours where upstream has none.
func deallocation(version string) string {
	if slices.Contains(withDeallocation, version) {
		return "deallocationRequested"
	}
	return "claimbridgeDeallocationRequested"
}

func (v verbs) patchStatusJSON(t *testing.T) {
	v.createWithStatus(t, v.new(t, "status-json-patch"))
	o := must.Get(v.resource.Patch(t.Context(), "status-json-patch", types.JSONPatchType,
		[]byte(`[{"op":"remove","path":"/status/reservedFor"},{"op":"add","path":"/status/`+deallocation(v.version)+`","value":true}]`),
		metav1.PatchOptions{}, "status"))(t)
	want := v.new(t, "").Object["status"].(map[string]any)
	delete(want, "reservedFor")
	want[deallocation(v.version)] = true
	equal(t, "status", shown(o), want)
}

func (v verbs) patchStatusMerge(t *testing.T) {
	v.createWithStatus(t, v.new(t, "status-merge-patch"))
	o := must.Get(v.resource.Patch(t.Context(), "status-merge-patch", types.MergePatchType,
		[]byte(`{"status":{"reservedFor":null}}`), metav1.PatchOptions{}, "status"))(t)
	want := v.new(t, "").Object["status"].(map[string]any)
	delete(want, "reservedFor")
	equal(t, "status", shown(o), want)
}

func (v verbs) applyStatus(t *testing.T) {
	v.create(t, v.new(t, "status-apply"))
	sent := v.new(t, "status-apply")
	delete(sent.Object, "spec")
	applied := must.Get(v.resource.ApplyStatus(t.Context(), "status-apply", sent, metav1.ApplyOptions{FieldManager: "driver"}))(t)
	equal(t, "status", shown(applied), sent.Object["status"])
	// One more consumer, by a manager that applies nothing else.
	consumer := map[string]any{"resource": "pods", "name": "second", "uid": "3f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d"}
	other := v.move(&object{Object: map[string]any{"status": map[string]any{"reservedFor": []any{consumer}}}}, v.version, v.kind, "status-apply")
	applied = must.Get(v.resource.ApplyStatus(t.Context(), "status-apply", other, metav1.ApplyOptions{FieldManager: "scheduler"}))(t)
	want := sent.Object["status"].(map[string]any)
	want["reservedFor"] = append(want["reservedFor"].([]any), consumer)
	equal(t, "status with another consumer", shown(applied), want)
	// The second one lets go of it again.
	delete(other.Object, "status")
	applied = must.Get(v.resource.ApplyStatus(t.Context(), "status-apply", other, metav1.ApplyOptions{FieldManager: "scheduler"}))(t)
	want["reservedFor"] = want["reservedFor"].([]any)[:1]
	equal(t, "status with one consumer again", shown(applied), want)
}

func (v verbs) dryRunStatus(t *testing.T) {
	o := v.create(t, v.new(t, "status-dry"))
	dry := o.DeepCopy()
	dry.Object["status"] = v.new(t, "").Object["status"]
	written := must.Get(v.resource.UpdateStatus(t.Context(), dry, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}}))(t)
	equal(t, "status of the answer", shown(written), v.new(t, "").Object["status"])
	equal(t, "what is stored", v.get(t, v.version, v.kind, "status-dry"), o)
}

func (v verbs) fieldValidationStatus(t *testing.T) {
	v.create(t, v.new(t, "status-strict"))
	_, err := v.resource.Patch(t.Context(), "status-strict", types.MergePatchType, []byte(`{"status":{"colour":"x"}}`),
		metav1.PatchOptions{FieldValidation: metav1.FieldValidationStrict}, "status")
	if err == nil {
		t.Error("an unknown field of the status was taken")
	}
}

// noStatus, because templates have none.
func (v verbs) noStatus(t *testing.T) {
	v.create(t, v.new(t, "no-status"))
	_, err := v.resource.Patch(t.Context(), "no-status", types.MergePatchType, []byte(`{"status":{}}`), metav1.PatchOptions{}, "status")
	if !apierrors.IsNotFound(err) {
		t.Errorf("want 404, got %v", err)
	}
}
