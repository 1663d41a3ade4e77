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

// installations with admission webhooks, and with the conversion webhook alone.
func installations(t *testing.T) map[string]*plane {
	t.Helper()
	return map[string]*plane{"conversion only": conversionOnlyGroup(t), "validated": builtInOff}
}

const shareID = "00000000-0000-4000-8000-000000000001"

// shared is a claim of v1 with a share of a GPU, which has a report that v1alpha3 cannot show, and with a NIC, which
// has none.
func (s space) shared(t *testing.T, name string) *object {
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
	gpu["shareID"], gpu["consumedCapacity"] = shareID, map[string]any{"memory": "10Gi"}
	o := s.move(&object{Object: map[string]any{
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
		"driver": "gpu.example.com", "pool": "p", "device": "gpu-0", "shareID": shareID,
		"data": map[string]any{"a": int64(1)}, "networkData": map[string]any{"interfaceName": "eth0"},
	}
}

func nicReport() map[string]any {
	return map[string]any{
		"driver": "nic.example.com", "pool": "p", "device": "nic-0", "data": map[string]any{"b": int64(1)},
	}
}

// statusWrites are the ways in which a client writes the reports that it sees. A client without reports sends no list,
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
		applied := s.move(&object{Object: map[string]any{"status": status}}, "v1alpha3", claimKind, o.GetName())
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

// A driver of v1alpha3 adds the first visible report, and removes it again. The hidden report of a share, which belongs
// to another driver, stays.
func TestHiddenReportsStay(t *testing.T) {
	for name, p := range installations(t) {
		for how, write := range statusWrites {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				s.shared(t, "shared")
				for _, step := range []struct {
					reports, want []any
				}{
					{reports: []any{nicReport()}, want: []any{gpuReport(), nicReport()}},
					{reports: []any{}, want: []any{gpuReport()}},
				} {
					if err := write(t, s, s.get(t, "v1alpha3", claimKind, "shared"), step.reports); err != nil {
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

// crowded is an object of v1 whose annotations leave so many bytes of room, which is too little for what old versions
// cannot represent of it.
func (s space) crowded(t *testing.T, kind, name string, room int) *object {
	t.Helper()
	o := s.claimWithHiddenData(t, name, "rack-1/worker")
	junk := map[string]string{"junk": strings.Repeat("x", 256<<10-len("junk")-room)}
	if kind == templateKind {
		spec := map[string]any{"spec": o.Object["spec"]}
		o = s.move(&object{Object: map[string]any{"spec": spec}}, stored, templateKind, name)
		spec["metadata"] = map[string]any{"annotations": map[string]any{"junk": junk["junk"]}}
	} else {
		o.SetAnnotations(junk)
	}
	o.SetFinalizers([]string{"example.com/one", "example.com/two"})
	return s.createWithStatus(t, o)
}

// mainWrite writes the metadata of an object through a version.
type mainWrite func(t *testing.T, s space, version, kind string, o *object) error

// mainWritesOfCrowded are writes through an old version that change no spec. Those that replace the labels drop the
// labels which say where the spec of a claim is. They may be rejected; a claim without its spec is never stored.
var mainWritesOfCrowded = map[string]struct {
	dropsLabels bool
	write       mainWrite
}{
	"merge patch of a label": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		return s.mergePatch(t, version, kind, o.GetName(), `{"metadata":{"labels":{"a":"b"}}}`)
	}},
	"one of two finalizers": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		return s.mergePatch(t, version, kind, o.GetName(), `{"metadata":{"finalizers":["example.com/one"]}}`)
	}},
	"apply of a label": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		applied := s.move(&object{Object: map[string]any{}}, version, kind, o.GetName())
		applied.SetLabels(map[string]string{"a": "b"})
		options := metav1.ApplyOptions{FieldManager: "labels"}
		_, err := s.of(version, kind).Apply(t.Context(), o.GetName(), applied, options)
		return err
	}},
	"update as it was read": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		_, err := s.of(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
		return err
	}},
	"update by a typed client": {write: func(t *testing.T, s space, version, kind string, o *object) error {
		if status, ok := o.Object["status"].(map[string]any); ok {
			delete(status, "claimbridgeLeftover")
		}
		_, err := s.of(version, kind).Update(t.Context(), withLabel(o, "a", "b"), metav1.UpdateOptions{})
		return err
	}},
	"update with labels of its own": {
		dropsLabels: true, write: func(t *testing.T, s space, version, kind string, o *object) error {
			o.SetLabels(map[string]string{"app": "x"})
			_, err := s.of(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
			return err
		},
	},
	"update with labels of its own and without managed fields": {
		dropsLabels: true, write: func(t *testing.T, s space, version, kind string, o *object) error {
			o.SetLabels(map[string]string{"app": "x"})
			o.SetManagedFields(nil)
			_, err := s.of(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
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
	_, err := s.of(version, kind).Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// An object whose spec does not fit into annotations is labeled through an old version, before it is deleted and while
// it is. Its spec and its status stay, and the write that removes the last finalizer deletes it.
func TestIncompleteObjectsKeepTheirSpec(t *testing.T) {
	for name, p := range installations(t) {
		for _, kind := range []string{claimKind, templateKind} {
			for _, version := range oldVersions {
				if p != builtInOff && version != oldVersions[0] {
					continue // each takes long, and all old versions are converted alike
				}
				t.Run(name+"/"+kind+"/"+version, func(t *testing.T) {
					t.Parallel()
					s := p.space(t)
					before := s.crowded(t, kind, "crowded", 0)
					for _, how := range slices.Sorted(maps.Keys(mainWritesOfCrowded)) {
						s.keepsItsSpec(t, version, before, how)
					}
					must.Do(t, s.of(version, kind).Delete(t.Context(), "crowded", metav1.DeleteOptions{}))
					for _, how := range slices.Sorted(maps.Keys(mainWritesOfCrowded)) {
						s.keepsItsSpec(t, version, before, how+", while it is deleted")
					}
					err := s.mergePatch(t, version, kind, "crowded", `{"metadata":{"finalizers":null}}`)
					if err != nil {
						t.Errorf("the last finalizer: %v", err)
					}
					_, err = s.of(stored, kind).Get(t.Context(), "crowded", metav1.GetOptions{})
					if !apierrors.IsNotFound(err) {
						t.Errorf("it is not deleted: %v", err)
					}
				})
			}
		}
	}
}

func (s space) keepsItsSpec(t *testing.T, version string, before *object, how string) {
	t.Helper()
	kind, name := before.GetKind(), before.GetName()
	write, _, _ := strings.Cut(how, ", ")
	test := mainWritesOfCrowded[write]
	err := test.write(t, s, version, kind, s.get(t, version, kind, name))
	isRejected := err != nil
	if mayBeRejected := test.dropsLabels && kind == claimKind; isRejected != mayBeRejected {
		t.Errorf("%s of %s: %v", how, name, err)
	}
	after := s.get(t, stored, kind, name)
	equal(t, "spec of "+name+" after "+how, after.Object["spec"], before.Object["spec"])
	equal(t, "status of "+name+" after "+how, after.Object["status"], before.Object["status"])
}

// Where the annotations have room for a digest, a client may replace the labels.
func TestIncompleteClaimsKeepTheirSpecWithoutLabels(t *testing.T) {
	for name, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				before := s.crowded(t, claimKind, "crowded", 100)
				for _, how := range []string{"update with labels of its own", "merge patch that removes all labels"} {
					write := mainWritesOfCrowded[how].write
					must.Do(t, write(t, s, version, claimKind, s.get(t, version, claimKind, "crowded")))
					after := s.get(t, stored, claimKind, "crowded")
					equal(t, "spec after "+how, after.Object["spec"], before.Object["spec"])
					equal(t, "status after "+how, after.Object["status"], before.Object["status"])
				}
			})
		}
	}
}

// A client of an old version reserves a claim whose spec does not fit into annotations, before the claim is deleted and
// while it is. A typed client drops the field that has the spec and is rejected; a patch keeps it.
func TestIncompleteClaimsKeepTheirSpecInStatusWrites(t *testing.T) {
	for name, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				for _, isDeleting := range []bool{false, true} {
					before := s.crowded(t, claimKind, fmt.Sprintf("crowded-%v", isDeleting), 0)
					name := before.GetName()
					if isDeleting {
						must.Do(t, s.claims(stored).Delete(t.Context(), name, metav1.DeleteOptions{}))
					}
					check := func(how string, isRejected bool, err error) {
						t.Helper()
						if (err != nil) != isRejected {
							t.Errorf("%s of %s: %v", how, name, err)
						}
						after := s.get(t, stored, claimKind, name)
						equal(t, "spec of "+name+" after "+how, after.Object["spec"], before.Object["spec"])
						statusBefore, _ := before.Object["status"].(map[string]any)
						statusAfter, _ := after.Object["status"].(map[string]any)
						what := "allocation of " + name + " after " + how
						equal(t, what, statusAfter["allocation"], statusBefore["allocation"])
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

// An attacker adds the spec of another claim, and its digest, to a claim whose spec does not fit into annotations. The
// spec of the claim stays, whether the attacker may write claims, their status, or both.
func TestIncompleteClaimsRejectForeignSpecs(t *testing.T) {
	for name, p := range installations(t) {
		for _, version := range oldVersions {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				before := s.crowded(t, claimKind, "victim", 0)
				other := before.DeepCopy()
				other.SetResourceVersion("")
				request := nested(other, "spec", "devices", "requests").([]any)[0].(map[string]any)
				request["exactly"].(map[string]any)["count"] = int64(3)
				theirs := s.createWithStatus(t, s.move(other, stored, claimKind, "theirs"))
				theirs = s.get(t, version, claimKind, theirs.GetName())

				forged := func(in string) *object {
					o := s.get(t, in, claimKind, "victim")
					o.SetLabels(theirs.GetLabels())
					if status, ok := o.Object["status"].(map[string]any); ok && in == version {
						status["claimbridgeLeftover"] = nested(theirs, "status", "claimbridgeLeftover")
					}
					return o
				}
				for _, how := range []struct {
					name, in string
					isStatus bool
				}{
					{name: "a write of the claim", in: version},
					{name: "a write of the status", in: version, isStatus: true},
					{name: "a write of the labels in v1", in: stored},
					{name: "a write of the status after that of the labels", in: version, isStatus: true},
					{name: "a write of the claim after that of the labels", in: version},
				} {
					var err error
					if how.isStatus {
						_, err = s.claims(how.in).UpdateStatus(t.Context(), forged(how.in), metav1.UpdateOptions{})
					} else {
						_, err = s.claims(how.in).Update(t.Context(), forged(how.in), metav1.UpdateOptions{})
					}
					t.Logf("%s: %v", how.name, err) // it may be rejected
					after := s.get(t, stored, claimKind, "victim")
					equal(t, "spec after "+how.name, after.Object["spec"], before.Object["spec"])
				}
			})
		}
	}
}
