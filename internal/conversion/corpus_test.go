package conversion

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Manifests of real projects have the same properties as generated objects.
func TestCorpusHasTheConversionProperties(t *testing.T) {
	first := objects.Seed(t)
	documents := 0
	for path, list := range corpus(t) {
		for i, object := range list {
			h, err := ReadHeader(object)
			if err != nil {
				t.Fatalf("%s: document %d: %v", path, i, err)
			}
			object = known(t, object)
			documents++
			for _, to := range Versions() {
				for _, annotationsOnly := range []bool{false, true} {
					if h.Version == to {
						continue
					}
					c := &propertyCase{
						T: t, Source: objects.New(first), kind: h.Kind, from: h.Version, to: to, isOriginal: true,
					}
					c.options = Options{Strict: true, Manifest: annotationsOnly}
					c.object = object
					c.try(allProperties, i)
				}
			}
		}
	}
	if documents < 60 {
		t.Errorf("only %d documents", documents)
	}
}

// known returns an object without the fields that its version does not have, because some published manifests have
// errors. Strict decoding must report exactly these.
func known(t *testing.T, object []byte) []byte {
	t.Helper()
	obj := parsedObject(t, object)
	_, unknown := must.Get2(obj.readClaim())(t)
	if len(unknown)+len(obj.unknown) == 0 {
		return object
	}
	t.Logf("%s: unknown fields %v", obj.Header, append(unknown, obj.unknown...))
	other := Versions()[(indexOf(obj.Version)+1)%len(versions)]
	if _, _, err := ConvertJSON(object, other, Options{Strict: true}); err == nil {
		t.Errorf("%s: strict conversion takes unknown fields", obj.Header)
	}
	output, _ := must.Get2(ConvertJSON(object, other, Options{Manifest: true}))(t)
	back, _ := must.Get2(ConvertJSON(output, obj.Version, Options{Strict: true}))(t)
	return back
}

// corpus reads the manifests, each file into JSON documents.
func corpus(t *testing.T) map[string][][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	all := map[string][][]byte{}
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		for _, document := range bytes.Split(data, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if string(object) != "null" {
				all[file] = append(all[file], object)
			}
		}
	}
	return all
}
