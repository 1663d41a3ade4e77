package test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// TestUpstreamAgreesOnTheExamples asks the releases about the examples of the rules: what the documentation shows as
// right and wrong is so.
func TestUpstreamAgreesOnTheExamples(t *testing.T) {
	asked := map[string]*upstream{}
	for _, j := range chosen {
		asked[j.name] = j.start(t)
	}
	files, err := filepath.Glob("../validation/testdata/*/*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("only %d examples: %v", len(files), err)
	}
	compared := 0
	for _, file := range files {
		bad := strings.HasPrefix(filepath.Base(file), "bad-")
		if bad && ownRules[filepath.Base(filepath.Dir(file))] {
			continue // upstream does not have the rule
		}
		r := readExample(t, file)
		h, err := conversion.ReadHeader(r.Object)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if r.Release == "" {
			version, _ := api.Find(h.Version)
			r.Release = version.Release
		}
		if asked[r.Release] == nil || r.Release == "1.31" && hasLaterFields(parse(t, r.Object)) {
			continue // its judge does not run, or does not know the fields
		}
		c := compare(t, asked[r.Release], r)
		if c.difference != "" {
			t.Errorf("%s: %s", file, c.difference)
		} else if refused := len(c.rules) > 0; refused != bad {
			t.Errorf("%s: refused: %t", file, refused)
		}
		compared++
	}
	t.Logf("%d examples", compared)
}

// readExample reads the format that validation/testdata/README.md tells.
func readExample(t *testing.T, file string) (r validation.Request) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for operation, name := range operationNames {
		if bytes.Contains(data, []byte("\n# operation: "+name+"\n")) || bytes.HasPrefix(data, []byte("# operation: "+name+"\n")) {
			r.Operation = operation
		}
	}
	if _, after, found := bytes.Cut(data, []byte("\n# release: ")); found {
		r.Release = string(after[:bytes.IndexByte(after, '\n')])
	}
	var objects [][]byte
	for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
		object, err := yaml.YAMLToJSON(document)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		objects = append(objects, object)
	}
	r.Object = objects[len(objects)-1]
	if len(objects) > 1 {
		r.OldObject = objects[0]
	}
	return r
}
