//go:build e2e

package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// oldVersions cannot represent all stored data.
var oldVersions = []string{"v1alpha1", "v1alpha2", "v1alpha3"}

// installations returns a plane with admission webhooks, and one with only the conversion webhook.
func installations(t *testing.T) map[string]*plane {
	t.Helper()
	return map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": withoutBuiltIn}
}

const testShareID = "00000000-0000-4000-8000-000000000001"

// createSharedClaim creates a v1 claim with a share of a GPU and with a NIC. Only the share has a device status, which
// v1alpha3 cannot represent.
func (s space) createSharedClaim(t *testing.T, name string) *object {
	t.Helper()
	request := func(name string) any {
		return map[string]any{"name": name, "exactly": map[string]any{"deviceClassName": name + ".example.com"}}
	}
	result := func(name string) map[string]any {
		return map[string]any{
			"request": name, "driver": name + ".example.com", "pool": "p", "device": name + "-0",
		}
	}
	gpu := result("gpu")
	gpu["shareID"], gpu["consumedCapacity"] = testShareID, map[string]any{"memory": "10Gi"}
	o := s.inNamespace(&object{Object: map[string]any{
		"spec": map[string]any{"devices": map[string]any{"requests": []any{request("gpu"), request("nic")}}},
		"status": map[string]any{
			"allocation":  map[string]any{"devices": map[string]any{"results": []any{gpu, result("nic")}}},
			"reservedFor": []any{map[string]any{"resource": "pods", "name": "p", "uid": "1"}},
			"devices":     []any{gpuReport()},
		},
	}}, stored, claimKind, name)
	return s.createWithStatus(t, o)
}

func gpuReport() map[string]any {
	return map[string]any{
		"driver": "gpu.example.com", "pool": "p", "device": "gpu-0", "shareID": testShareID,
		"data": map[string]any{"a": int64(1)}, "networkData": map[string]any{"interfaceName": "eth0"},
	}
}

func nicReport() map[string]any {
	return map[string]any{
		"driver": "nic.example.com", "pool": "p", "device": "nic-0", "data": map[string]any{"b": int64(1)},
	}
}

// statusWrites write device statuses through v1alpha3, each with another verb. A client without reports sends no list,
// an empty one, or null.
var statusWrites = map[string]func(t *testing.T, s space, o *object, reports []any) error{
	"update": func(t *testing.T, s space, o *object, reports []any) error {
		o.Object["status"].(map[string]any)["devices"] = reports
		_, err := s.claims("v1alpha3").UpdateStatus(t.Context(), o, metav1.UpdateOptions{})
		return err
	},
	"update by a typed client": func(t *testing.T, s space, o *object, reports []any) error {
		status := o.Object["status"].(map[string]any)
		status["devices"] = reports
		if len(reports) == 0 {
			delete(status, "devices")
		}
		delete(status, "claimbridgeLeftover")
		_, err := s.claims("v1alpha3").UpdateStatus(t.Context(), o, metav1.UpdateOptions{})
		return err
	},
	"merge patch": func(t *testing.T, s space, o *object, reports []any) error {
		var value any // null, if there are none
		if len(reports) > 0 {
			value = reports
		}
		return s.patchStatus(t, o, types.MergePatchType, map[string]any{"status": map[string]any{"devices": value}})
	},
	"JSON patch": func(t *testing.T, s space, o *object, reports []any) error {
		operation := map[string]any{"op": "add", "path": "/status/devices", "value": reports}
		if len(reports) == 0 {
			operation = map[string]any{"op": "remove", "path": "/status/devices"}
		}
		return s.patchStatus(t, o, types.JSONPatchType, []any{operation})
	},
	"apply": func(t *testing.T, s space, o *object, reports []any) error {
		status := map[string]any{}
		if len(reports) > 0 {
			status["devices"] = reports
		}
		applied := s.inNamespace(&object{Object: map[string]any{"status": status}}, "v1alpha3", claimKind, o.GetName())
		options := metav1.ApplyOptions{FieldManager: "nic", Force: true}
		_, err := s.claims("v1alpha3").ApplyStatus(t.Context(), o.GetName(), applied, options)
		return err
	},
}

func (s space) patchStatus(t *testing.T, o *object, kind types.PatchType, patch any) error {
	t.Helper()
	text := must.Get(json.Marshal(patch))(t)
	_, err := s.claims("v1alpha3").Patch(t.Context(), o.GetName(), kind, text, metav1.PatchOptions{}, "status")
	return err
}

// TestHiddenReportsAreKept acts as a driver of v1alpha3 that adds the first visible device status, and removes it
// again. The hidden device status of a share, which belongs to another driver, is unchanged.
func TestHiddenReportsAreKept(t *testing.T) {
	for name, p := range installations(t) {
		for write, do := range statusWrites {
			t.Run(name+"/"+write, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				s.createSharedClaim(t, "shared")
				for _, step := range []struct {
					reports, want []any
				}{
					{reports: []any{nicReport()}, want: []any{gpuReport(), nicReport()}},
					{reports: []any{}, want: []any{gpuReport()}},
				} {
					if err := do(t, s, s.get(t, "v1alpha3", claimKind, "shared"), step.reports); err != nil {
						t.Fatal(err)
					}
					status, _ := s.get(t, stored, claimKind, "shared").Object["status"].(map[string]any)
					what := fmt.Sprintf("reports after %d were written", len(step.reports))
					equal(t, what, status["devices"], any(step.want))
				}
			})
		}
	}
}

// createWithFullAnnotations creates a v1 object whose annotations have only so many free bytes, which are too few to
// preserve the spec for old versions.
func (s space) createWithFullAnnotations(t *testing.T, kind, name string, free int) *object {
	t.Helper()
	o := s.claimWithHiddenData(t, name, "rack-1/worker")
	filler := map[string]string{"junk": strings.Repeat("x", 256<<10-len("junk")-free)}
	if kind == templateKind {
		spec := map[string]any{"spec": o.Object["spec"]}
		o = s.inNamespace(&object{Object: map[string]any{"spec": spec}}, stored, templateKind, name)
		spec["metadata"] = map[string]any{"annotations": map[string]any{"junk": filler["junk"]}}
	} else {
		o.SetAnnotations(filler)
	}
	o.SetFinalizers([]string{"example.com/one", "example.com/two"})
	return s.createWithStatus(t, o)
}

// metadataWrite writes the metadata of an object through a version.
type metadataWrite func(t *testing.T, s space, version, kind string, o *object) error

// metadataWrites are writes through an old version that do not change the spec. Those that replace the labels drop the
// labels of an incomplete copy. They may be rejected, but a claim without its spec is never stored.
var metadataWrites = map[string]struct {
	dropsLabels bool
	write       metadataWrite
}{
	"merge patch of a label": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		return s.mergePatch(t, version, kind, o.GetName(), `{"metadata":{"labels":{"a":"b"}}}`)
	}},
	"one of two finalizers": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		return s.mergePatch(t, version, kind, o.GetName(), `{"metadata":{"finalizers":["example.com/one"]}}`)
	}},
	"apply of a label": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		applied := s.inNamespace(&object{Object: map[string]any{}}, version, kind, o.GetName())
		applied.SetLabels(map[string]string{"a": "b"})
		options := metav1.ApplyOptions{FieldManager: "labels"}
		_, err := s.resource(version, kind).Apply(t.Context(), o.GetName(), applied, options)
		return err
	}},
	"update without changes": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		_, err := s.resource(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
		return err
	}},
	"update by a typed client": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		if status, ok := o.Object["status"].(map[string]any); ok {
			delete(status, "claimbridgeLeftover")
		}
		_, err := s.resource(version, kind).Update(t.Context(), withLabel(o, "a", "b"), metav1.UpdateOptions{})
		return err
	}},
	"update that replaces the labels": {
		dropsLabels: true, write: func(t *testing.T, s space, version, kind string, o *object) error {
			o.SetLabels(map[string]string{"app": "x"})
			_, err := s.resource(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
			return err
		},
	},
	"update that replaces the labels and removes managed fields": {
		dropsLabels: true, write: func(t *testing.T, s space, version, kind string, o *object) error {
			o.SetLabels(map[string]string{"app": "x"})
			o.SetManagedFields(nil)
			_, err := s.resource(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
			return err
		},
	},
	"merge patch that removes all labels": {
		dropsLabels: true, write: func(t *testing.T, s space, version, kind string, o *object) error {
			return s.mergePatch(t, version, kind, o.GetName(), `{"metadata":{"labels":null}}`)
		},
	},
}

func (s space) mergePatch(t *testing.T, version, kind, name, patch string) error {
	t.Helper()
	_, err := s.resource(version, kind).Patch(t.Context(), name, types.MergePatchType, []byte(patch),
		metav1.PatchOptions{})
	return err
}

// TestIncompleteObjectsKeepTheirSpec labels an object whose spec does not fit into annotations through an old version,
// before and during its deletion. Its spec and its status are unchanged, and the write that removes the last finalizer
// deletes it.
func TestIncompleteObjectsKeepTheirSpec(t *testing.T) {
	for name, p := range installations(t) {
		for _, kind := range []string{claimKind, templateKind} {
			for _, version := range oldVersions {
				if p != withoutBuiltIn && version != oldVersions[0] {
					continue // each version takes long, and conversion is the same
				}
				t.Run(name+"/"+kind+"/"+version, func(t *testing.T) {
					t.Parallel()
					s := p.space(t)
					before := s.createWithFullAnnotations(t, kind, "crowded", 0)
					for _, write := range slices.Sorted(maps.Keys(metadataWrites)) {
						s.checkSpecIsKept(t, version, before, write)
					}
					must.Do(t, s.resource(version, kind).Delete(t.Context(), "crowded", metav1.DeleteOptions{}))
					for _, write := range slices.Sorted(maps.Keys(metadataWrites)) {
						s.checkSpecIsKept(t, version, before, write+", during deletion")
					}
					err := s.mergePatch(t, version, kind, "crowded", `{"metadata":{"finalizers":null}}`)
					if err != nil {
						t.Errorf("removal of the last finalizer: got %v, want no error", err)
					}
					_, err = s.resource(stored, kind).Get(t.Context(), "crowded", metav1.GetOptions{})
					if !apierrors.IsNotFound(err) {
						t.Errorf("get after the last finalizer is removed: got error %v, want NotFound", err)
					}
				})
			}
		}
	}
}

func (s space) checkSpecIsKept(t *testing.T, version string, before *object, write string) {
	t.Helper()
	kind, name := before.GetKind(), before.GetName()
	key, _, _ := strings.Cut(write, ", ")
	test := metadataWrites[key]
	err := test.write(t, s, version, kind, s.get(t, version, kind, name))
	isRejected := err != nil
	if mayBeRejected := test.dropsLabels && kind == claimKind; isRejected != mayBeRejected {
		t.Errorf("%s of %s: %v", write, name, err)
	}
	after := s.get(t, stored, kind, name)
	equal(t, "spec of "+name+" after "+write, after.Object["spec"], before.Object["spec"])
	equal(t, "status of "+name+" after "+write, after.Object["status"], before.Object["status"])
}

// TestIncompleteClaimsKeepTheirSpecWithoutLabels checks that a client may replace the labels if the annotations have
// space for a digest.
func TestIncompleteClaimsKeepTheirSpecWithoutLabels(t *testing.T) {
	for installation, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(installation+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				before := s.createWithFullAnnotations(t, claimKind, "crowded", 100)
				for _, name := range []string{"update that replaces the labels", "merge patch that removes all labels"} {
					write := metadataWrites[name].write
					must.Do(t, write(t, s, version, claimKind, s.get(t, version, claimKind, "crowded")))
					after := s.get(t, stored, claimKind, "crowded")
					equal(t, "spec after "+name, after.Object["spec"], before.Object["spec"])
					equal(t, "status after "+name, after.Object["status"], before.Object["status"])
				}
			})
		}
	}
}

// TestIncompleteClaimsKeepTheirSpecInStatusWrites acts as a client of an old version that releases a claim whose spec
// does not fit into annotations, before and during its deletion. A typed client drops the field with the spec and is
// rejected; a patch keeps it.
func TestIncompleteClaimsKeepTheirSpecInStatusWrites(t *testing.T) {
	for name, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				for _, isDeleting := range []bool{false, true} {
					before := s.createWithFullAnnotations(t, claimKind, fmt.Sprintf("crowded-%v", isDeleting), 0)
					name := before.GetName()
					if isDeleting {
						must.Do(t, s.claims(stored).Delete(t.Context(), name, metav1.DeleteOptions{}))
					}
					check := func(what string, isRejected bool, err error) {
						t.Helper()
						if (err != nil) != isRejected {
							t.Errorf("%s of %s: %v", what, name, err)
						}
						after := s.get(t, stored, claimKind, name)
						equal(t, "spec of "+name+" after "+what, after.Object["spec"], before.Object["spec"])
						statusBefore, _ := before.Object["status"].(map[string]any)
						statusAfter, _ := after.Object["status"].(map[string]any)
						allocation := "allocation of " + name + " after " + what
						equal(t, allocation, statusAfter["allocation"], statusBefore["allocation"])
					}
					copied := s.get(t, version, claimKind, name)
					status, _ := copied.Object["status"].(map[string]any)
					delete(status, "claimbridgeLeftover")
					delete(status, "reservedFor")
					_, err := s.claims(version).UpdateStatus(t.Context(), copied, metav1.UpdateOptions{})
					check("release by a typed client", true, err)
					_, err = s.claims(version).Patch(t.Context(), name, types.MergePatchType,
						[]byte(`{"status":{"reservedFor":null}}`), metav1.PatchOptions{}, "status")
					check("release by a patch", false, err)
				}
			})
		}
	}
}

// TestIncompleteClaimsRejectForeignSpecs acts as an attacker who adds the spec of another claim, and its digest, to a
// claim whose spec does not fit into annotations. The spec of the claim is unchanged, whether the attacker may write
// claims, their status, or both.
func TestIncompleteClaimsRejectForeignSpecs(t *testing.T) {
	for name, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				before := s.createWithFullAnnotations(t, claimKind, "victim", 0)
				donorSpec := before.DeepCopy()
				donorSpec.SetResourceVersion("")
				request := nested(donorSpec, "spec", "devices", "requests").([]any)[0].(map[string]any)
				request["exactly"].(map[string]any)["count"] = int64(3)
				donor := s.createWithStatus(t, s.inNamespace(donorSpec, stored, claimKind, "donor"))
				donor = s.get(t, version, claimKind, donor.GetName())

				forged := func(in string) *object {
					o := s.get(t, in, claimKind, "victim")
					o.SetLabels(donor.GetLabels())
					if status, ok := o.Object["status"].(map[string]any); ok && in == version {
						status["claimbridgeLeftover"] = nested(donor, "status", "claimbridgeLeftover")
					}
					return o
				}
				for _, write := range []struct {
					name, version string
					isStatus      bool
				}{
					{name: "a write of the claim", version: version},
					{name: "a write of the status", version: version, isStatus: true},
					{name: "a write of the labels in v1", version: stored},
					{name: "a write of the status after that of the labels", version: version, isStatus: true},
					{name: "a write of the claim after that of the labels", version: version},
				} {
					var err error
					if write.isStatus {
						_, err = s.claims(write.version).UpdateStatus(t.Context(), forged(write.version), metav1.UpdateOptions{})
					} else {
						_, err = s.claims(write.version).Update(t.Context(), forged(write.version), metav1.UpdateOptions{})
					}
					t.Logf("%s: %v", write.name, err) // it may be rejected
					after := s.get(t, stored, claimKind, "victim")
					equal(t, "spec after "+write.name, after.Object["spec"], before.Object["spec"])
				}
			})
		}
	}
}
