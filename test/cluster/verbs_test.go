package cluster

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// Every verb of the API, for both kinds, in every version, on both planes.
func TestVerbs(t *testing.T) {
	for _, p := range planes {
		for _, kind := range []string{claimKind, templateKind} {
			for _, version := range versions {
				t.Run(p.name+"/"+version+" "+kind, func(t *testing.T) {
					t.Parallel()
					s := p.space(t)
					v := verbs{s, version, kind, s.of(version, kind)}
					for name, verb := range everyVerb {
						t.Run(name, func(t *testing.T) { verb(v, t) })
					}
					if kind == claimKind {
						for name, verb := range statusVerbs {
							t.Run(name, func(t *testing.T) { verb(v, t) })
						}
					} else {
						t.Run("there is no status", v.noStatus)
					}
				})
			}
		}
	}
}

// verbs of a version and kind.
type verbs struct {
	space
	version, kind string
	resource      dynamic.ResourceInterface
}

var everyVerb = map[string]func(verbs, *testing.T){
	"create, and get what was created": verbs.createAndGet,
	"create twice":                     verbs.createTwice,
	"list, in pages":                   verbs.list,
	"update":                           verbs.update,
	"update of an older copy":          verbs.updateStale,
	"update of the spec":               verbs.updateSpec,
	"patch with a JSON patch":          verbs.patchJSON,
	"patch with a merge patch":         verbs.patchMerge,
	"server-side apply, of what is there and what is not": verbs.apply,
	"dry runs":                 verbs.dryRuns,
	"field validation":         verbs.fieldValidation,
	"delete, with a finalizer": verbs.delete,
	"delete a collection":      verbs.deleteCollection,
}

func (v verbs) new(t *testing.T, name string) *object { return v.typical(t, v.version, v.kind, name) }

func (v verbs) createAndGet(t *testing.T) {
	sent := v.new(t, "create")
	created := v.create(t, sent.DeepCopy())
	equal(t, "spec of the answer", created.Object["spec"], sent.Object["spec"])
	equal(t, "status of the answer, which create drops", created.Object["status"], nil)
	equal(t, "what is read", v.get(t, v.version, v.kind, "create"), created)
}

func (v verbs) createTwice(t *testing.T) {
	v.create(t, v.new(t, "twice"))
	if _, err := v.resource.Create(t.Context(), v.new(t, "twice"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		t.Errorf("want AlreadyExists, got %v", err)
	}
}

// list reads seven objects from the watch cache, then in pages of three, which come from etcd.
func (v verbs) list(t *testing.T) {
	const label = "of=list"
	want := map[string]any{}
	for i := range 7 {
		o := v.new(t, fmt.Sprintf("list-%d", i))
		o.SetLabels(map[string]string{"of": "list"})
		want[o.GetName()] = v.create(t, o).Object
	}
	for _, options := range []metav1.ListOptions{{}, {ResourceVersion: "0"}, {Limit: 3}} {
		options.LabelSelector = label
		got := map[string]any{}
		pages := 0
		for more := true; more; pages++ {
			page, err := v.resource.List(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Items {
				got[o.GetName()] = o.Object
			}
			options.Continue = page.GetContinue()
			more = options.Continue != ""
		}
		if options.ResourceVersion == "0" && len(got) < len(want) {
			continue // a cache may be behind
		}
		equal(t, "list", got, want)
		if options.Limit > 0 && pages != 3 {
			t.Errorf("%d pages of at most 3 for 7 objects", pages)
		}
	}
}

func (v verbs) update(t *testing.T) {
	o := v.create(t, v.new(t, "update"))
	o.SetLabels(map[string]string{"by": "update"})
	o.SetAnnotations(map[string]string{"by": "update"})
	updated, err := v.resource.Update(t.Context(), o, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "content", content(updated), content(o))
	if updated.GetResourceVersion() == o.GetResourceVersion() {
		t.Error("the resource version is the same")
	}
	if updated.GetGeneration() != 1 {
		t.Errorf("labels are no new generation, but it is %d", updated.GetGeneration())
	}
	again, err := v.resource.Update(t.Context(), updated, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again.GetResourceVersion() != updated.GetResourceVersion() {
		t.Error("a write that changes nothing was stored")
	}
}

func (v verbs) updateStale(t *testing.T) {
	stale := v.create(t, v.new(t, "stale"))
	fresh := stale.DeepCopy()
	fresh.SetLabels(map[string]string{"a": "b"})
	if _, err := v.resource.Update(t.Context(), fresh, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.resource.Update(t.Context(), stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("want a conflict, got %v", err)
	}
}

// updateSpec is refused with a cause: a spec cannot be changed.
func (v verbs) updateSpec(t *testing.T) {
	o := v.create(t, v.new(t, "immutable"))
	path := []string{"spec", "resourceClassName"}
	if v.version == stored {
		path = []string{"spec", "controller"}
	}
	if v.kind == templateKind {
		path = append([]string{"spec"}, path...)
	}
	_, err := v.resource.Update(t.Context(), set(t, o, "other.example.com", path...), metav1.UpdateOptions{})
	denied(t, err, "spec", "immutable")
}

// denied by the webhook, as an API server denies: 422 with a cause for the field.
func denied(t *testing.T, err error, field, text string) {
	t.Helper()
	status := apierrors.APIStatus(nil)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), text) {
		t.Errorf("want 422 for %s with %q, got %v", field, text, err)
		return
	}
	status = err.(apierrors.APIStatus) //nolint:errorlint // checked above
	for _, cause := range status.Status().Details.Causes {
		if strings.HasPrefix(cause.Field, field) {
			return
		}
	}
	t.Errorf("no cause for %s in %+v", field, status.Status().Details)
}

func (v verbs) patchJSON(t *testing.T) {
	v.create(t, v.new(t, "json-patch"))
	patch := `[{"op":"add","path":"/metadata/labels","value":{"by":"patch"}},{"op":"test","path":"/metadata/name","value":"json-patch"}]`
	o, err := v.resource.Patch(t.Context(), "json-patch", types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "labels", o.GetLabels(), map[string]string{"by": "patch"})
	equal(t, "spec", o.Object["spec"], v.new(t, "").Object["spec"])
}

func (v verbs) patchMerge(t *testing.T) {
	v.create(t, v.new(t, "merge-patch"))
	patch := `{"metadata":{"annotations":{"by":"patch"}},"status":{"deallocationRequested":true}}`
	o, err := v.resource.Patch(t.Context(), "merge-patch", types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
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
	applied, err := v.resource.Apply(t.Context(), "apply", sent, options)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "labels", applied.GetLabels(), map[string]string{"by": "apply"})
	sent.SetLabels(nil)
	applied, err = v.resource.Apply(t.Context(), "apply", sent, options)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "labels that are no longer applied", len(applied.GetLabels()), 0)
	_, err = v.resource.Apply(t.Context(), "apply", sent, metav1.ApplyOptions{FieldManager: "another"})
	if err != nil {
		t.Errorf("applying the same values is no conflict: %v", err)
	}
}

// dryRuns answer like the real thing and leave no trace.
func (v verbs) dryRuns(t *testing.T) {
	dry := []string{metav1.DryRunAll}
	if _, err := v.resource.Create(t.Context(), v.new(t, "dry"), metav1.CreateOptions{DryRun: dry}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.resource.Get(t.Context(), "dry", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a dry run created something: %v", err)
	}
	o := v.create(t, v.new(t, "dry"))
	labelled := o.DeepCopy()
	labelled.SetLabels(map[string]string{"dry": "run"})
	labelled, err := v.resource.Update(t.Context(), labelled, metav1.UpdateOptions{DryRun: dry})
	if err != nil {
		t.Fatal(err)
	}
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

func (v verbs) delete(t *testing.T) {
	o := v.new(t, "delete")
	o.SetFinalizers([]string{"example.com/wait"})
	v.create(t, o)
	if err := v.resource.Delete(t.Context(), "delete", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	deleting := v.get(t, v.version, v.kind, "delete")
	if deleting.GetDeletionTimestamp() == nil {
		t.Fatal("it is not being deleted")
	}
	deleting.SetFinalizers(nil)
	if _, err := v.resource.Update(t.Context(), deleting, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.resource.Get(t.Context(), "delete", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
}

func (v verbs) deleteCollection(t *testing.T) {
	for _, name := range []string{"many-1", "many-2", "many-3"} {
		o := v.new(t, name)
		o.SetLabels(map[string]string{"delete": fmt.Sprint(name != "many-3")})
		v.create(t, o)
	}
	options := metav1.ListOptions{LabelSelector: "delete=true"}
	if err := v.resource.DeleteCollection(t.Context(), metav1.DeleteOptions{}, options); err != nil {
		t.Fatal(err)
	}
	left, err := v.resource.List(t.Context(), metav1.ListOptions{LabelSelector: "delete"})
	if err != nil {
		t.Fatal(err)
	}
	if len(left.Items) != 1 || left.Items[0].GetName() != "many-3" {
		t.Errorf("left: %v", left.Items)
	}
}
