package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// upstreamCases are what Kubernetes' own tests of its validation ask: testdata/upstream-cases has their objects as data, one write a line.
// Releases without a file have theirs among the probes.
func upstreamCases(t *testing.T, version, release string) (all []asked) {
	t.Helper()
	if Usual[version] != release {
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
		all = append(all, asked{
			what:    fmt.Sprintf("%s:%d", file, i+1),
			request: validation.Request{Operation: operations[c.Operation], Object: c.Object, OldObject: c.OldObject},
		})
	}
	return all
}
