//go:build e2e

package cluster

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	claims "github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Every verb of the API, for both kinds, in every version, on one plane after the other, each of which has both kinds and every second version of each.
func TestVerbs(t *testing.T) {
	for i, kind := range []string{claimKind, templateKind} {
		for j, version := range versions {
			p := planes[(i+j)%len(planes)]
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
			page := must.Get(v.resource.List(t.Context(), options))(t)
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
	updated := must.Get(v.resource.Update(t.Context(), o, metav1.UpdateOptions{}))(t)
	equal(t, "content", content(updated), content(o))
	if updated.GetResourceVersion() == o.GetResourceVersion() {
		t.Error("the resource version is the same")
	}
	if updated.GetGeneration() != 1 {
		t.Errorf("labels are no new generation, but it is %d", updated.GetGeneration())
	}
	again := must.Get(v.resource.Update(t.Context(), updated, metav1.UpdateOptions{}))(t)
	if again.GetResourceVersion() != updated.GetResourceVersion() {
		t.Error("a write that changes nothing was stored")
	}
}

func (v verbs) updateStale(t *testing.T) {
	stale := v.create(t, v.new(t, "stale"))
	fresh := stale.DeepCopy()
	fresh.SetLabels(map[string]string{"a": "b"})
	must.Get(v.resource.Update(t.Context(), fresh, metav1.UpdateOptions{}))(t)
	if _, err := v.resource.Update(t.Context(), stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("want a conflict, got %v", err)
	}
}

// updateSpec is refused with a cause: a spec cannot be changed.
func (v verbs) updateSpec(t *testing.T) {
	o := v.create(t, v.new(t, "immutable"))
	path, value := []string{"spec", "resourceClassName"}, any("other.example.com")
	if claims.HasDevices(v.version) {
		path, value = []string{"spec", "devices", "config"}, []any{}
	}
	if v.kind == templateKind {
		path = append([]string{"spec"}, path...)
	}
	_, err := v.resource.Update(t.Context(), set(t, o, value, path...), metav1.UpdateOptions{})
	denied(t, err, "spec", "immutable")
}

func (v verbs) delete(t *testing.T) {
	o := v.new(t, "delete")
	o.SetFinalizers([]string{"example.com/wait"})
	v.create(t, o)
	must.Do(t, v.resource.Delete(t.Context(), "delete", metav1.DeleteOptions{}))
	deleting := v.get(t, v.version, v.kind, "delete")
	if deleting.GetDeletionTimestamp() == nil {
		t.Fatal("it is not being deleted")
	}
	deleting.SetFinalizers(nil)
	must.Get(v.resource.Update(t.Context(), deleting, metav1.UpdateOptions{}))(t)
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
	must.Do(t, v.resource.DeleteCollection(t.Context(), metav1.DeleteOptions{}, options))
	left := must.Get(v.resource.List(t.Context(), metav1.ListOptions{LabelSelector: "delete"}))(t)
	if len(left.Items) != 1 || left.Items[0].GetName() != "many-3" {
		t.Errorf("left: %v", left.Items)
	}
}
