//go:build e2e

package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// perVersion is how many random objects of each version and kind there are. Each is written through every version; the
// property tests of package conversion use more objects.
const perVersion, perVersionShort = 6, 2

// A write in one version can be read in every other version, and written back through it, without losing data.
func TestVersionsOfOneObject(t *testing.T) {
	seed, many := objects.Seed(t), perVersion
	if testing.Short() {
		many = perVersionShort
	}
	for i, version := range versions {
		for j, kind := range []string{claimKind, templateKind} {
			p := planes[(i+j)%len(planes)]
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				source := objects.New(seed + uint64(len(versions)*j+i))
				for n := range many {
					o := s.random(t, source, version, kind, fmt.Sprintf("random-%d", n))
					s.writtenBack(t, s.createWithStatus(t, o))
				}
			})
		}
	}
}

// random object, without what an API server sets itself.
func (s space) random(t testing.TB, source objects.Source, version, kind, name string) *object {
	t.Helper()
	data := must.Get(json.Marshal(source.Object(version, kind)))(t)
	o := &object{}
	must.Do(t, o.UnmarshalJSON(data))
	labels, annotations := o.GetLabels(), o.GetAnnotations()
	o.Object["metadata"] = map[string]any{}
	o.SetLabels(labels)
	o.SetAnnotations(annotations)
	return s.move(o, version, kind, name)
}

// writtenBack writes an object through every version, once unchanged, which must not change the stored object, and once
// with a label.
func (s space) writtenBack(t *testing.T, o *object) {
	t.Helper()
	kind, name := o.GetKind(), o.GetName()
	before := s.everyVersion(t, kind, name)
	for _, version := range versions {
		equal(t, "the answer to the write", content(before[o.GroupVersionKind().Version]), content(o))
		back, err := s.of(version, kind).Update(t.Context(), before[version], metav1.UpdateOptions{})
		if err != nil {
			t.Fatalf("write %s back through %s: %v", name, version, err)
		}
		if back.GetResourceVersion() != o.GetResourceVersion() {
			t.Errorf("%s: a write through %s that changes nothing was stored", name, version)
		}
		s.labeled(t, version, kind, name)
		for v, was := range before {
			now := s.get(t, v, kind, name)
			equal(t, fmt.Sprintf("%s %s after a write through %s", v, name, version), content(now), content(was))
			before[v] = now
		}
		o = before[o.GroupVersionKind().Version]
	}
}

// labeled writes an object, and its status, with a label that it then removes.
func (s space) labeled(t *testing.T, version, kind, name string) {
	t.Helper()
	o := s.get(t, version, kind, name)
	without := o.GetLabels()
	with := maps.Clone(without)
	if with == nil {
		with = map[string]string{}
	}
	with["written-through"] = version
	for _, labels := range []map[string]string{with, without} {
		o.SetLabels(labels)
		written, err := s.of(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
		if err != nil {
			t.Fatalf("write %s through %s: %v", name, version, err)
		}
		o = written
		if _, ok := o.Object["status"]; ok {
			o = s.writeStatus(t, o)
		}
	}
}
