package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// examples returns the valid and invalid examples of the rules in a version. All releases that serve the version
// validate them. The release of an invalid example must reject it.
func examples(t *testing.T, version, release string) (all []writtenTest) {
	t.Helper()
	files, err := filepath.Glob("../../validation/examples/*/*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("only %d examples: %v", len(files), err)
	}
	for _, file := range files {
		bad := strings.HasPrefix(filepath.Base(file), "bad-")
		if bad && claimbridgeRules[filepath.Base(filepath.Dir(file))] {
			continue // upstream does not have the rule
		}
		r := readExample(t, file)
		h, err := conversion.ReadHeader(r.Object)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if h.Version != version || release == "1.31" && hasLaterFields(parse(t, r.Object)) {
			continue // the release does not have the fields
		}
		example := writtenTest{name: file, request: r}
		if orElse(r.Release, DefaultReleases[version]) == release {
			example.wantRejected = &bad
		}
		all = append(all, example)
	}
	return all
}

// readExample reads an example in the format of validation/examples/README.md.
func readExample(t *testing.T, file string) (r validation.Request) {
	t.Helper()
	data := must.Get(os.ReadFile(file))(t)
	for operation, name := range operationNames {
		if bytes.Contains(data, []byte("\n# operation: "+name+"\n")) ||
			bytes.HasPrefix(data, []byte("# operation: "+name+"\n")) {
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

// upstreamCases returns the writes of Kubernetes' unit tests of its validation: testdata/upstream-cases has one write
// in each line. The probes have those of releases without a file.
func upstreamCases(t *testing.T, version, release string) (all []writtenTest) {
	t.Helper()
	if DefaultReleases[version] != release {
		return nil
	}
	file := "testdata/upstream-cases/" + release + ".jsonl"
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && release == "1.36" {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	operations := map[string]validation.Operation{}
	for operation, name := range operationNames {
		operations[name] = operation
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var c struct {
			Operation         string
			Object, OldObject json.RawMessage
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		all = append(all, writtenTest{
			name:    fmt.Sprintf("%s:%d", file, i+1),
			request: validation.Request{Operation: operations[c.Operation], Object: c.Object, OldObject: c.OldObject},
		})
	}
	return all
}
