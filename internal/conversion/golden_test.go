package conversion

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "update the golden files")

// Each folder of testdata/golden is one claim: in.yaml as it was written, and the copies that clients of each version
// read after it is stored.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/golden/*/in.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, input := range inputs {
		folder := filepath.Dir(input)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			text := must.Get(os.ReadFile(input))(t)
			object := must.Get(yaml.YAMLToJSONStrict(text))(t)
			stored, _ := must.Get2(ConvertJSON(object, Stored(), Options{Strict: true}))(t)
			for _, version := range Versions() {
				converted, _ := must.Get2(ConvertJSON(stored, version, Options{Strict: true}))(t)
				got := must.Get(yaml.JSONToYAML(converted))(t)
				file := filepath.Join(folder, version+".yaml")
				if *update {
					must.Do(t, os.WriteFile(file, got, 0o644))
				}
				want := must.Get(os.ReadFile(file))(t)
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
				back, _ := must.Get2(ConvertJSON(converted, Stored(), Options{Strict: true}))(t)
				if !bytes.Equal(back, stored) {
					c := &propertyCase{T: t}
					c.equal("written back through "+version, back, stored)
				}
			}
		})
	}
}
