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

// objectsPerVersion is the number of random objects of each version and kind. Each is written through every version;
// the property tests of package conversion use more objects.
const objectsPerVersion, objectsPerVersionShort = 6, 2

// TestWritesThroughEveryVersionLoseNoData writes an object in one version, reads it in every other version, and writes
// it back through it. No data is lost.
func TestWritesThroughEveryVersionLoseNoData(t *testing.T) {
	seed, count := objects.Seed(t), objectsPerVersion
	if testing.Short() {
		count = objectsPerVersionShort
	}
	for i, version := range versions {
		for j, kind := range []string{claimKind, templateKind} {
			p := planes[(i+j)%len(planes)]
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				s := p.space(t)
				source := objects.New(seed + uint64(len(versions)*j+i))
				for n := range count {
					o := s.random(t, source, version, kind, fmt.Sprintf("random-%d", n))
					s.checkWrites(t, s.createWithStatus(t, o))
				}
			})
		}
	}
}

// random returns a random object, without fields that an API server sets.
func (s space) random(t testing.TB, source objects.Source, version, kind, name string) *object {
	t.Helper()
	data := must.Get(json.Marshal(source.Object(version, kind)))(t)
	o := &object{}
	must.Do(t, o.UnmarshalJSON(data))
	labels, annotations := o.GetLabels(), o.GetAnnotations()
	o.Object["metadata"] = map[string]any{}
	o.SetLabels(labels)
	o.SetAnnotations(annotations)
	return s.inNamespace(o, version, kind, name)
}

// checkWrites writes an object through every version, once unchanged, which must not change the stored object, and once
// with a label.
func (s space) checkWrites(t *testing.T, o *object) {
	t.Helper()
	kind, name := o.GetKind(), o.GetName()
	before := s.getAllVersions(t, kind, name)
	for _, version := range versions {
		equal(t, "response of the write", content(before[o.GroupVersionKind().Version]), content(o))
		updated, err := s.resource(version, kind).Update(t.Context(), before[version], metav1.UpdateOptions{})
		if err != nil {
			t.Fatalf("write %s back through %s: %v", name, version, err)
		}
		if updated.GetResourceVersion() != o.GetResourceVersion() {
			t.Errorf("%s: an update without changes through %s was stored", name, version)
		}
		s.addAndRemoveLabel(t, version, kind, name)
		for v, was := range before {
			now := s.get(t, v, kind, name)
			equal(t, fmt.Sprintf("%s %s after a write through %s", v, name, version), content(now), content(was))
			before[v] = now
		}
		o = before[o.GroupVersionKind().Version]
	}
}

// addAndRemoveLabel adds a label to an object and removes it again. After each, it also writes the status.
func (s space) addAndRemoveLabel(t *testing.T, version, kind, name string) {
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
		written, err := s.resource(version, kind).Update(t.Context(), o, metav1.UpdateOptions{})
		if err != nil {
			t.Fatalf("write %s through %s: %v", name, version, err)
		}
		o = written
		if _, ok := o.Object["status"]; ok {
			o = s.writeStatus(t, o)
		}
	}
}
