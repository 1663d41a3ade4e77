//go:build e2e

package aggregated

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The documents of each version have the same paths, with the same operations and parameters, and the same types, as those of
// the key: kubectl and generators of clients go by them.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	for _, version := range inTree {
		t.Run(version, func(t *testing.T) {
			want, got := openAPI(t, key, version), openAPI(t, ours, version)
			for what, compared := range map[string][2]map[string]any{
				"paths":   {want.paths(), got.paths()},
				"schemas": {want.schemas(), got.schemas()},
			} {
				if diff := cmp.Diff(compared[0], compared[1]); diff != "" || len(compared[0]) < 10 {
					t.Errorf("%d %s (-key +ours):\n%s", len(compared[0]), what, diff)
				}
			}
		})
	}
}

// document of a group version.
type document struct {
	Paths      map[string]map[string]any
	Components struct{ Schemas map[string]map[string]any }
}

func openAPI(t *testing.T, c *cluster, version string) (d document) {
	t.Helper()
	a, err := c.send(t.Context(), request{method: http.MethodGet, path: "/openapi/v3/apis/resource.k8s.io/" + version, as: "root"})
	if err == nil && a.status == http.StatusOK {
		err = json.Unmarshal(a.body, &d)
	}
	if err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %v, %d", c.name, err, a.status)
	}
	return d
}

// paths of what is served, each with what may be done there: identifiers, parameters, types of bodies, kinds.
func (d document) paths() map[string]any {
	all := map[string]any{}
	for path, operations := range d.Paths {
		if strings.Contains(path, "devicetaintrules") { // which the key has in v1beta2 as well
			continue
		}
		for name, o := range operations {
			operation, is := o.(map[string]any)
			if !is {
				all[path+" "+name] = o // parameters of all
				continue
			}
			body, _ := operation["requestBody"].(map[string]any)
			types, _ := body["content"].(map[string]any)
			all[path+" "+name] = map[string]any{
				"id": operation["operationId"], "parameters": operation["parameters"], "bodies": slices.Sorted(maps.Keys(types)),
				"kind": operation["x-kubernetes-group-version-kind"], "action": operation["x-kubernetes-action"], "text": operation["description"],
			}
		}
	}
	return all
}

// schemas of the types of the version, each with its fields and what lists are keyed by. Types of others are in both.
func (d document) schemas() map[string]any {
	all := map[string]any{}
	for name, schema := range d.Components.Schemas {
		if !strings.HasPrefix(name, "io.k8s.api.resource.") || strings.Contains(name, "DeviceTaintRule") || strings.Contains(name, "DeviceTaintSelector") || otherRelease[name[strings.LastIndex(name, ".")+1:]] {
			continue
		}
		all[name] = shapeOf(schema)
	}
	return all
}

// otherRelease are names of fields and types that 1.36, which the key is, and 1.37, whose types are ours, do not both have. All are of
// features that are off by default in 1.36.
var otherRelease = map[string]bool{
	"compatibilityGroups": true, "derivedAttributes": true, "partitionTypeAttribute": true, "skipNodeOperations": true, "DeviceDerivedAttribute": true,
	"nodeAllocatableResourceMappings": true, "nodeAllocatableResources": true, "NodeAllocatableResourceMapping": true, "NodeAllocatableResource": true,
	"NodeAllocatableMapping": true, "NodeAllocatableOverhead": true,
}

// shapeOf a schema, without what depends on the release of the generator: texts, defaults that are empty, and references that older
// ones wrap in allOf to put a default beside; and that an object must have a spec, which 1.37 does not say any more.
func shapeOf(schema any) any {
	switch schema := schema.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, inner := range schema {
			_, text := inner.(string)
			if name == "description" && text || name == "default" || otherRelease[name] || name == "required" && cmp.Equal(inner, []any{"spec"}) {
				continue
			}
			all[name] = shapeOf(inner)
		}
		if wrapped, is := all["allOf"].([]any); is && len(all) == 1 && len(wrapped) == 1 {
			return wrapped[0]
		}
		return all
	case []any:
		for i, inner := range schema {
			schema[i] = shapeOf(inner)
		}
	}
	return schema
}
