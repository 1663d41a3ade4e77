package api_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apijson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Upstream's samples have every field of their release. So if a sample decodes without unknown fields, and encodes to
// the same object, no field is lost. Each sample also exists in YAML, with the same content.
func TestUpstreamSamplesRoundTripThroughTheTypes(t *testing.T) {
	for _, k := range kinds {
		for file, sample := range upstreamSamples(t, k) {
			t.Run(file, func(t *testing.T) {
				checkRoundTrip(t, k, sample)
				inYAML, err := os.ReadFile(strings.TrimSuffix(file, "json") + "yaml")
				if err != nil {
					t.Fatal(err)
				}
				if inYAML, err = yaml.YAMLToJSONStrict(inYAML); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(decode(t, sample), decode(t, inYAML)); diff != "" {
					t.Errorf("(-JSON +YAML):\n%s", diff)
				}
			})
		}
	}
}

func checkRoundTrip(t *testing.T, k versionedKind, sample []byte) {
	t.Helper()
	object := k.empty()
	strict := must.Get(apijson.UnmarshalStrict(sample, object))(t)
	if len(strict) > 0 {
		t.Fatalf("fields that the type lacks: %v", strict)
	}
	back := must.Get(json.Marshal(object))(t)
	if diff := cmp.Diff(decode(t, sample), decode(t, back)); diff != "" {
		t.Errorf("decoded and encoded again (-upstream +claimbridge):\n%s", diff)
	}
}

// No type has a field that no release has, except for the intended ones.
func TestTypesHaveOnlyUpstreamsFieldsAndIntendedOnes(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.version+" "+k.kind, func(t *testing.T) {
			var extra []string
			for path := range objects.EachLeaf(reflect.TypeOf(k.empty()).Elem()) {
				names := strings.Split(path, ".")
				isIn := func(sample []byte) bool { return has(decode(t, sample), names) }
				if !slices.Contains(names, "metadata") &&
					!slices.ContainsFunc(slices.Collect(maps.Values(upstreamSamples(t, k))), isIn) {
					extra = append(extra, path)
				}
			}
			var want []string
			switch {
			case k.kind == api.KindTemplate: // has no status
			case api.IsLossless(k.version):
				want = []string{"status.claimbridgeDeallocationRequested"}
			default:
				want = []string{"status.claimbridgeLeftover"}
			}
			if diff := cmp.Diff(want, extra); diff != "" {
				t.Errorf("fields that upstream lacks (-want +got):\n%s", diff)
			}
		})
	}
}

// has reports whether a value exists at a path, in lists in any of the items.
func has(value any, names []string) bool {
	if items, isList := value.([]any); isList {
		return slices.ContainsFunc(items, func(item any) bool { return has(item, names) })
	}
	members, isObject := value.(map[string]any)
	return len(names) == 0 || isObject && members[names[0]] != nil && has(members[names[0]], names[1:])
}

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}
