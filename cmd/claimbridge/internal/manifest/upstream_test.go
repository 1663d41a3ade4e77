package manifest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Releases wrote the same objects as YAML and as JSON.
func TestUpstreamSamplesAreReadAsTheirJSON(t *testing.T) {
	const samples = "../../../../api/testdata/upstream"
	files, err := filepath.Glob(samples + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	older, err := filepath.Glob(samples + "/*/*.yaml")
	if err != nil || len(older) == 0 {
		t.Fatalf("no samples of older releases: %v", err)
	}
	for _, file := range append(files, older...) {
		t.Run(strings.TrimPrefix(file, samples), func(t *testing.T) {
			inYAML, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inJSON, err := os.ReadFile(strings.TrimSuffix(file, "yaml") + "json")
			if err != nil {
				t.Fatal(err)
			}
			read, err := readOne(t, string(inYAML), true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(value(t, inJSON), value(t, []byte(read))); diff != "" {
				t.Errorf("(-JSON +YAML):\n%s", diff)
			}
		})
	}
}

func value(t *testing.T, object []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(object, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
