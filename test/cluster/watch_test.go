//go:build e2e

package cluster

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Watches in all versions, which started before the claim existed, get all events of the claim in their version.
func TestWatchesInEveryVersion(t *testing.T) {
	for _, p := range planes {
		for _, writer := range versions {
			t.Run(p.name+"/written through "+writer, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				watches := map[string]watch.Interface{}
				for _, v := range versions {
					w := must.Get(s.claims(v).Watch(t.Context(), metav1.ListOptions{}))(t)
					defer w.Stop()
					watches[v] = w
				}
				for what, step := range life(t, s, writer) {
					o := step()
					for _, v := range versions {
						event := next(t, watches[v])
						want := watch.Modified
						switch what {
						case created:
							want = watch.Added
						case deleted:
							want = watch.Deleted
						}
						if event.Type != want {
							t.Errorf("%s, seen in %s: %s, want %s", what, v, event.Type, want)
						}
						seen, ok := event.Object.(*object)
						if !ok {
							t.Fatalf("%s, seen in %s: %#v", what, v, event.Object)
						}
						if what == deleted {
							o.SetResourceVersion(seen.GetResourceVersion()) // that of the deletion
						}
						equal(t, what+", seen in "+v, seen.Object, s.inVersion(t, o, v).Object)
					}
				}
				for v, w := range watches {
					select {
					case e := <-w.ResultChan():
						t.Errorf("%s: one event too many: %s", v, e.Type)
					default:
					}
				}
			})
		}
	}
}

const created, deleted = "created", "deleted"

// life of a claim, written in one version. A step gives what it left behind.
func life(t *testing.T, s space, version string) func(yield func(string, func() *object) bool) {
	patch := func(body string, path ...string) func() *object {
		return func() *object {
			return must.Get(s.claims(version).Patch(t.Context(), "life", types.MergePatchType, []byte(body),
				metav1.PatchOptions{}, path...))(t)
		}
	}
	return func(yield func(string, func() *object) bool) {
		_ = yield(created, func() *object { return s.create(t, s.typical(t, version, claimKind, "life")) }) &&
			yield("allocated and reserved", func() *object {
				o := s.get(t, version, claimKind, "life")
				o.Object["status"] = s.typical(t, version, claimKind, "").Object["status"]
				return s.writeStatus(t, o)
			}) &&
			yield("labeled", patch(`{"metadata":{"labels":{"a":"b"}}}`)) &&
			yield("released", patch(`{"status":{"reservedFor":null}}`, "status")) &&
			yield("deallocated", patch(`{"status":null}`, "status")) &&
			yield(deleted, func() *object {
				o := s.get(t, version, claimKind, "life")
				must.Do(t, s.claims(version).Delete(t.Context(), "life", metav1.DeleteOptions{}))
				return o
			})
	}
}

func next(t *testing.T, w watch.Interface) watch.Event {
	t.Helper()
	select {
	case e, ok := <-w.ResultChan():
		if !ok {
			t.Fatal("the watch ended")
		}
		return e
	case <-time.After(await.Timeout):
		t.Fatal("no event")
	}
	return watch.Event{}
}

// inVersion is an object in another version, as the API server makes it of what the webhook answers.
func (s space) inVersion(t *testing.T, o *object, version string) *object {
	t.Helper()
	if o.GroupVersionKind().Version == version {
		return o
	}
	data := must.Get(o.MarshalJSON())(t)
	converted, _ := must.Get2(conversion.ConvertJSON(data, version, conversion.Options{}))(t)
	result := &object{}
	must.Do(t, result.UnmarshalJSON(converted))
	return result
}
