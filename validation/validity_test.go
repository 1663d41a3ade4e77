package validation

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestConvertedObjectsAreValid: an object that is valid in its version, by the rules of its release, is valid after
// conversion by the rules of the other release, with all data that conversion adds. CLAIMBRIDGE_SEED replays a run.
func TestConvertedObjectsAreValid(t *testing.T) {
	first := objects.Seed(t)
	// of each kind and direction for each pair of versions: 10,000 a pair
	count := objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			t.Run(from+" "+kind, func(t *testing.T) {
				t.Parallel()
				source := objects.New(first)
				for range count {
					object := encode(t, source.Object(from, kind))
					valid(t, "made", object)
					for _, to := range conversion.Versions() {
						if to == from {
							continue
						}
						converted, _ := must.Get2(conversion.ConvertJSON(object, to, conversion.Options{Strict: true}))(t)
						valid(t, "converted from "+from, converted)
					}
				}
			})
		}
	}
}

// TestPublishedManifestsAreAccepted: manifests that real projects publish can be created unchanged and, converted, in
// every other version.
func TestPublishedManifestsAreAccepted(t *testing.T) {
	files := must.Get(filepath.Glob("../internal/conversion/testdata/corpus/*.yaml"))(t)
	validated := 0
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if header, err := conversion.ReadHeader(object); err != nil ||
				!slices.Contains(objects.Kinds, header.Kind) {
				continue
			}
			for _, version := range conversion.Versions() {
				valid(t, file+" in "+version, convert(t, object, version))
				validated++
			}
		}
	}
	if validated < 100 {
		t.Errorf("only %d manifests were validated", validated)
	}
}

// valid validates an object as it is created, without a status, and the write of its status.
func valid(t *testing.T, what string, object []byte) {
	t.Helper()
	var members map[string]jsontext.Value
	must.Do(t, json.Unmarshal(object, &members))
	status := members["status"]
	delete(members, "status")
	created := must.Get(json.Marshal(members, json.Deterministic(true)))(t)
	requests := []Request{{Operation: Create, Object: created}}
	if status != nil {
		requests = append(requests, Request{Operation: UpdateStatus, Object: object, OldObject: created})
	}
	for _, r := range requests {
		result, err := Validate(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, r.Object)
		}
		for _, e := range result.Errors {
			if e.Rule == "incomplete-copy-is-not-written-back" { // valid, but a copy that cannot be written
				continue
			}
			t.Fatalf("%s: %s: %v (rule %s)\n%.6000s", what, r.Operation, e, e.Rule, r.Object)
		}
	}
}
