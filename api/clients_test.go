package api_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Typed clients write fields that no user set (testdata/clients/README.md). The schemas drop only the nulls among them,
// and reject only what Kubernetes rejects since 1.31: parameters that are null, and an empty source.
func TestSchemasAcceptWhatTypedClientsWrite(t *testing.T) {
	required := map[string]bool{
		"spec.devices.config[0].opaque.parameters":              true,
		"spec.spec.devices.config[0].opaque.parameters":         true,
		"status.allocation.devices.config[0].opaque.parameters": true,
		"status.allocation.devices.config[0].source":            true,
	}
	for _, version := range api.Names() {
		data := must.Get(os.ReadFile(filepath.Join("testdata", "clients", version+".json")))(t)
		var objects map[string]json.RawMessage
		must.Do(t, json.Unmarshal(data, &objects))
		for name, object := range objects {
			t.Run(version+" "+name, func(t *testing.T) {
				kind, _ := decode(t, object)["kind"].(string)
				_, pruned, rejections := write(t, version, kind, string(object))
				if len(pruned) > 0 {
					t.Errorf("dropped %v", pruned)
				}
				for _, err := range rejections {
					if !required[err.Field] {
						t.Error(err)
					}
				}
			})
		}
	}
}
