package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// TestUpstreamAgreesOnItsOwnCases asks about what Kubernetes' own tests of its validation ask: testdata/upstream-cases
// has their objects as data, one write a line.
func TestUpstreamAgreesOnItsOwnCases(t *testing.T) {
	operations := map[string]validation.Operation{}
	for operation, name := range operationNames {
		operations[name] = operation
	}
	for _, r := range releases {
		t.Run("Kubernetes "+r.name, func(t *testing.T) {
			u := r.start(t)
			data, err := os.ReadFile("testdata/upstream-cases/" + r.name + ".jsonl")
			if errors.Is(err, fs.ErrNotExist) && r.name == "1.36" {
				t.Skip("the cases of 1.36 are those of test/judges_spec_test.go and judges_status_test.go")
			}
			if err != nil {
				t.Fatal(err)
			}
			refused := 0
			lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
			for i, line := range lines {
				var c struct {
					Operation         string
					Object, OldObject json.RawMessage
				}
				if err := json.Unmarshal(line, &c); err != nil {
					t.Fatalf("line %d: %v", i+1, err)
				}
				compared := compare(t, u, validation.Request{
					Operation: operations[c.Operation], Object: c.Object, OldObject: c.OldObject,
				})
				if compared.difference != "" {
					t.Errorf("line %d: %s\n%s", i+1, compared.difference, clip(line))
				}
				if len(compared.rules) > 0 {
					refused++
				}
			}
			t.Logf("%d cases, %d refused", len(lines), refused)
			if refused < len(lines)/4 || refused == len(lines) {
				t.Errorf("only %d of %d cases are refused: they are not what they were", refused, len(lines))
			}
		})
	}
}
