//go:build e2e

package cluster

import (
	"encoding/json"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	claims "github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Whoever labels a claim through an old version changes nothing of its status, however much of it that version cannot say,
// and whatever becomes of the annotations on the way. Conversion alone stands it, with nothing that judges.
func TestBigAllocationsOutliveWritesThroughOldVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: megabytes are written hundreds of times")
	}
	for where, p := range map[string]*plane{"conversion only": bare(t), "judged": builtInOff} {
		for what, status := range bigStatuses {
			small := len(asJSON(t, status())) < 100_000
			for _, version := range versions {
				if version == roomy {
					continue
				}
				if !small && (version != versions[0] || p != builtInOff) {
					continue // these take long; the oldest version is two steps away, and there nothing may be refused either
				}
				t.Run(where+"/"+version+"/"+what, func(t *testing.T) {
					t.Parallel()
					s := p.space(t)
					before := s.allocated(t, "big", status())
					for name, write := range labelWrites {
						if !small && !write.mustWork && name != "PUT" {
							continue // what a client may have lost of a copy makes no difference to how big it is
						}
						err := write.write(t, s, version, name)
						if err != nil && write.mustWork {
							t.Errorf("%s: %.500v", name, err)
						}
						now := s.get(t, roomy, claimKind, "big")
						if err == nil && now.GetResourceVersion() == before.GetResourceVersion() {
							t.Errorf("%s: nothing was written", name)
						}
						if before = now; !same(t, fmt.Sprintf("status after a %s (%.300v)", name, err), shown(now), status()) {
							before.Object["status"] = status()
							before = s.writeStatus(t, s.deallocated(t, before))
						}
					}
					s.reserves(t, version, status())
				})
			}
		}
	}
}

// deallocated is a claim that is free to be allocated again.
func (s space) deallocated(t *testing.T, o *object) *object {
	t.Helper()
	free := o.DeepCopy()
	delete(free.Object, "status")
	o.SetResourceVersion(s.writeStatus(t, free).GetResourceVersion())
	return o
}

// labelWrites to the claim big, as its copy in an old version lets clients do. What comes with little must work; a copy that
// goes back whole may be too long for an API server.
var labelWrites = map[string]struct {
	mustWork bool
	write    func(t *testing.T, s space, version, name string) error
}{
	"merge patch": {true, patches(types.MergePatchType, `{"metadata":{"labels":{"by":"merge-patch"}}}`)},
	"JSON patch":  {true, patches(types.JSONPatchType, `[{"op":"add","path":"/metadata/labels/by","value":"JSON-patch"}]`)},
	"server-side apply": {true, func(t *testing.T, s space, version, _ string) error {
		o := s.move(&object{Object: map[string]any{}}, version, claimKind, "big")
		o.SetLabels(map[string]string{"by": "apply"})
		_, err := s.claims(version).Apply(t.Context(), "big", o, metav1.ApplyOptions{FieldManager: "labeller", Force: true})
		return err
	}},
	"merge patch that takes the annotations away": {false, patches(types.MergePatchType, `{"metadata":{"annotations":null,"labels":{"by":"merge-patch-too"}}}`)},
	"JSON patch of all labels":                    {false, patches(types.JSONPatchType, `[{"op":"add","path":"/metadata/labels","value":{"by":"JSON-patch-too"}}]`)},
	"PUT":                                         {false, puts(func(*object) {})},
	"PUT without annotations":                     {false, puts(func(o *object) { o.SetAnnotations(nil) })},
	"PUT without status and annotations": {true, puts(func(o *object) {
		o.SetAnnotations(nil)
		delete(o.Object, "status")
	})},
	"PUT without anything of ours": {false, puts(func(o *object) {
		o.SetAnnotations(nil)
		o.SetLabels(nil)
		o.Object["status"] = shown(o)
	})},
	"PUT of what a typed client knows": {false, func(t *testing.T, s space, version, name string) error {
		typed := claims.New(version, claimKind)
		return puts(func(o *object) {
			o.Object["status"] = shown(o) // the structs of the time had no such field
			convertByJSON(t, o, typed)
			o.Object = nil
			convertByJSON(t, typed, o)
		})(t, s, version, name)
	}},
}

func patches(kind types.PatchType, patch string) func(*testing.T, space, string, string) error {
	return func(t *testing.T, s space, version, _ string) error {
		_, err := s.claims(version).Patch(t.Context(), "big", kind, []byte(patch), metav1.PatchOptions{})
		return err
	}
}

func puts(change func(*object)) func(*testing.T, space, string, string) error {
	return func(t *testing.T, s space, version, name string) error {
		o := s.get(t, version, claimKind, "big")
		change(o)
		_, err := s.claims(version).Update(t.Context(), withLabel(o, "by", fmt.Sprintf("put-%d", len(name))), metav1.UpdateOptions{})
		return err
	}
}

// reserves the claim big for one consumer by a patch of its status, which must work, and for another by writing the status
// back as a client does that knows of no field of ours, which may be refused. The allocation stays in any case.
func (s space) reserves(t *testing.T, version string, status map[string]any) {
	t.Helper()
	patch := `{"status":{"reservedFor":[` + pod("one") + `]}}`
	_, err := s.claims(version).Patch(t.Context(), "big", types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Errorf("reserve by a patch: %.500v", err)
	}
	now := s.get(t, roomy, claimKind, "big")
	status["reservedFor"] = []any{map[string]any{"resource": "pods", "name": "one", "uid": uids["one"]}}
	same(t, "status after a patch that reserves", shown(now), status)

	o := s.get(t, version, claimKind, "big")
	o.Object["status"] = shown(o)
	set(t, o, []any{map[string]any{"resource": "pods", "name": "two", "uid": uids["two"]}}, "status", "reservedFor")
	_, err = s.claims(version).UpdateStatus(t.Context(), o, metav1.UpdateOptions{})
	if err == nil {
		set(t, &object{Object: map[string]any{"status": status}}, nested(o, "status", "reservedFor"), "status", "reservedFor")
	}
	now = s.get(t, roomy, claimKind, "big")
	same(t, fmt.Sprintf("status after a PUT that reserves (%.300v)", err), shown(now), status)
}

func convertByJSON(t *testing.T, from, to any) {
	t.Helper()
	must.Do(t, json.Unmarshal(asJSON(t, from), to))
}
