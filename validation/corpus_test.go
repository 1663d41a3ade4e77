package validation

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/conversion"
)

// Manifests that real projects publish, in the versions that they were published in, can be created as they are and,
// converted, in every other version.
func TestPublishedManifestsAreAccepted(t *testing.T) {
	files, err := filepath.Glob("../conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	judged := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, document := range bytes.Split(data, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			header, err := conversion.ReadHeader(object)
			if err != nil || header.Kind != claimKind && header.Kind != templateKind {
				continue
			}
			for _, version := range conversion.Versions() {
				t.Run(fmt.Sprintf("%s document %d in %s", filepath.Base(file), i, version), func(t *testing.T) {
					verdict, err := Judge(t.Context(), Request{Operation: Create, Object: convert(t, object, version)})
					if err != nil {
						t.Fatal(err)
					}
					if len(verdict.Errors) > 0 {
						t.Errorf("refused: %q", found(verdict.Errors))
					}
					judged++
				})
			}
		}
	}
	if judged < 100 {
		t.Errorf("only %d manifests were judged", judged)
	}
}
