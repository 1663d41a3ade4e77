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

// TestWatchesInEveryVersion starts watches in all versions before a claim exists. Each must receive all events of the
// claim in its version.
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
				for what, step := range writeLifeCycle(t, s, writer) {
					o := step()
					for _, v := range versions {
						event := nextEvent(t, watches[v])
						want := watch.Modified
						switch what {
						case created:
							want = watch.Added
						case deleted:
							want = watch.Deleted
						}
						if event.Type != want {
							t.Errorf("%s, watch of %s: got event %s, want %s", what, v, event.Type, want)
						}
						got, ok := event.Object.(*object)
						if !ok {
							t.Fatalf("%s, watch of %s: got object %#v", what, v, event.Object)
						}
						if what == deleted {
							o.SetResourceVersion(got.GetResourceVersion()) // the deletion has a new one
						}
						equal(t, what+", watch of "+v, got.Object, s.convert(t, o, v).Object)
					}
				}
				for v, w := range watches {
					select {
					case e := <-w.ResultChan():
						t.Errorf("watch of %s: got an additional event %s", v, e.Type)
					default:
					}
				}
			})
		}
	}
}

const created, deleted = "created", "deleted"

// writeLifeCycle returns the steps in the life of a claim, written in one version. A step returns the resulting object.
func writeLifeCycle(t *testing.T, s space, version string) func(yield func(string, func() *object) bool) {
	patch := func(body string, path ...string) func() *object {
		return func() *object {
			return must.Get(s.claims(version).Patch(t.Context(), "life", types.MergePatchType, []byte(body),
				metav1.PatchOptions{}, path...))(t)
		}
	}
	return func(yield func(string, func() *object) bool) {
		_ = yield(created, func() *object { return s.create(t, s.typicalObject(t, version, claimKind, "life")) }) &&
			yield("allocated and reserved", func() *object {
				o := s.get(t, version, claimKind, "life")
				o.Object["status"] = s.typicalObject(t, version, claimKind, "").Object["status"]
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

func nextEvent(t *testing.T, w watch.Interface) watch.Event {
	t.Helper()
	select {
	case e, ok := <-w.ResultChan():
		if !ok {
			t.Fatal("the watch ended")
		}
		return e
	case <-time.After(await.Timeout):
		t.Fatalf("no event after %s", await.Timeout)
	}
	return watch.Event{}
}

// convert returns an object in another version, with the same conversion as the webhook.
func (s space) convert(t *testing.T, o *object, version string) *object {
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
