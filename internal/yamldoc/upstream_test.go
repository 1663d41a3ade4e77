package yamldoc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The releases of Kubernetes wrote the same objects as YAML and as JSON.
func TestUpstreamYAMLEqualsItsJSON(t *testing.T) {
	const samples = "../../api/testdata/upstream"
	files := must.Get(filepath.Glob(samples + "/*.yaml"))(t)
	older, err := filepath.Glob(samples + "/*/*.yaml")
	if err != nil || len(older) == 0 {
		t.Fatalf("no samples of older releases: %v", err)
	}
	for _, file := range append(files, older...) {
		t.Run(strings.TrimPrefix(file, samples), func(t *testing.T) {
			inYAML := must.Get(os.ReadFile(file))(t)
			inJSON := must.Get(os.ReadFile(strings.TrimSuffix(file, "yaml") + "json"))(t)
			read := must.Get(readOne(t, string(inYAML), true))(t)
			if diff := cmp.Diff(value(t, inJSON), value(t, []byte(read))); diff != "" {
				t.Errorf("(-JSON +YAML):\n%s", diff)
			}
		})
	}
}

func value(t *testing.T, object []byte) (v any) {
	t.Helper()
	must.Do(t, json.Unmarshal(object, &v))
	return v
}
