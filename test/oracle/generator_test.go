package oracle

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// generator of writes in one version: generated objects and published manifests, broken in up to three places.
type generator struct {
	objects.Source
	version   string
	manifests [][]byte
}

// generateWrite returns the write of a version and seed for a release.
func generateWrite(t *testing.T, version, release string, seed uint64, manifests [][]byte) *writeTree {
	t.Helper()
	w := generator{objects.New(seed), version, manifests}.write(t)
	for _, o := range []tree{w.object, w.old} {
		dropClaimbridgeField(o)
		if release == "1.31" {
			dropLaterFields(o)
		}
	}
	return w
}

// base returns a valid object, or a published manifest.
func (g generator) base(t *testing.T) tree {
	t.Helper()
	if len(g.manifests) > 0 && g.IntN(20) == 0 {
		o := parse(t, g.manifests[g.IntN(len(g.manifests))])
		o["metadata"] = tree{"name": "published", "namespace": "default", "uid": "1", "resourceVersion": "1"}
		return o
	}
	kind := objects.Kinds[0]
	if g.IntN(6) == 0 {
		kind = objects.Kinds[1]
	}
	object := must.Get(json.Marshal(g.Object(g.version, kind)))(t)
	return parse(t, object)
}

// write returns a write of any operation. The stored object is usually valid, and the new one is usually invalid.
func (g generator) write(t *testing.T) *writeTree {
	t.Helper()
	base := g.base(t)
	kind := base["kind"].(string)
	m := mutator{g.Rand, schemas[g.version+kind]}
	clone := func() tree { return parse(t, render(t, base, false)) }
	w := &writeTree{object: clone(), old: clone(), indented: m.IntN(20) == 0}
	operations := []validation.Operation{
		validation.Create, validation.Update, validation.UpdateStatus, validation.UpdateStatus,
	}
	if kind == "ResourceClaimTemplate" {
		operations = operations[:2]
	}
	w.operation = oneOf(m, operations...)
	if m.IntN(4) == 0 { // stored before the rule existed
		m.breakValue(w.old, "")
		if m.IntN(2) == 0 {
			w.object = parse(t, render(t, w.old, false))
		}
	}
	switch w.operation {
	case validation.UpdateStatus:
		if m.IntN(4) == 0 { // the status of another object, whose results can name missing requests
			if other := g.base(t); other["kind"] == kind {
				w.object["status"] = other["status"]
			}
		}
		if m.IntN(3) == 0 { // 1.32 and later validate the content of new allocations
			delete(w.old, "status")
		}
		for range m.IntN(4) {
			m.changeStatus(w)
		}
		for range m.IntN(3) {
			m.breakValue(w.object, "status")
		}
	default:
		if kind == "ResourceClaimTemplate" && w.operation == validation.Update && m.IntN(4) == 0 {
			m.addDerivedAttributes(w)
		}
		for range m.IntN(4) {
			m.breakValue(w.object, oneOf(m, "spec", "spec", "spec", ""))
		}
		if kind == "ResourceClaimTemplate" && m.IntN(8) == 0 {
			m.breakValue(w.object, "spec.metadata")
		}
	}
	return w
}

// corpus returns the published manifests by version.
func corpus(t *testing.T) map[string][][]byte {
	t.Helper()
	files, err := filepath.Glob("../../internal/conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	byVersion := map[string][][]byte{}
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if string(object) == "null" {
				continue
			}
			h, err := conversion.ReadHeader(object)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			byVersion[h.Version] = append(byVersion[h.Version], object)
		}
	}
	missing := slices.DeleteFunc(conversion.Versions(), func(v string) bool { return len(byVersion[v]) > 0 })
	if len(missing) > 0 {
		t.Errorf("the corpus has only %v, no manifest of %s", slices.Sorted(maps.Keys(byVersion)),
			strings.Join(missing, ", "))
	}
	return byVersion
}
