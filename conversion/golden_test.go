package conversion

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each folder of testdata/golden is one claim: in.yaml as it was written, and the copies that clients of every version
// read once it is stored.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/golden/*/in.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, input := range inputs {
		folder := filepath.Dir(input)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			text, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			object, err := yaml.YAMLToJSONStrict(text)
			if err != nil {
				t.Fatal(err)
			}
			stored, _, err := JSON(object, Stored(), Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, version := range Versions() {
				converted, _, err := JSON(stored, version, Options{Strict: true})
				if err != nil {
					t.Fatal(err)
				}
				got, err := yaml.JSONToYAML(converted)
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(folder, version+".yaml")
				if *update {
					if err := os.WriteFile(file, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
				back, _, err := JSON(converted, Stored(), Options{Strict: true})
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(back, stored) {
					c := &lawCase{T: t}
					c.equal("written back through "+version, back, stored)
				}
			}
		})
	}
}
