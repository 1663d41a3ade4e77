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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
)

// Upstream's samples have every field of their release set, so what decodes without an unknown field and comes back equal
// has lost nothing. Each is there as YAML too, and says the same.
func TestUpstreamSamplesSurviveOurTypes(t *testing.T) {
	for _, k := range kinds {
		for file, sample := range upstreamSamples(t, k) {
			t.Run(file, func(t *testing.T) {
				survives(t, k, sample)
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

func survives(t *testing.T, k ofVersion, sample []byte) {
	t.Helper()
	object := k.empty()
	strict, err := kjson.UnmarshalStrict(sample, object)
	if err != nil {
		t.Fatal(err)
	}
	if len(strict) > 0 {
		t.Fatalf("fields that our type lacks: %v", strict)
	}
	back, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decode(t, sample), decode(t, back)); diff != "" {
		t.Errorf("decoded and encoded again (-upstream +ours):\n%s", diff)
	}
}

// The other direction: a field of ours that no release has is one that we invented.
func TestOurTypesHaveUpstreamsFieldsAndOneMore(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.version+" "+k.kind, func(t *testing.T) {
			fields := map[string]bool{}
			typeFields(reflect.TypeOf(k.empty()).Elem(), "", fields)
			upstream := map[string]bool{}
			for _, sample := range upstreamSamples(t, k) {
				valueFields(decode(t, sample), "", fields, upstream)
			}

			extra := maps.Clone(fields)
			maps.DeleteFunc(extra, func(path string, _ bool) bool { return upstream[path] })
			var want []string
			if k.kind == api.KindClaim {
				want = []string{map[bool]string{true: "status.claimbridgeDeallocationRequested", false: "status.claimbridgeLeftover"}[api.IsNative(k.version)]}
			}
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(extra))); diff != "" {
				t.Errorf("fields that upstream lacks (-expected +found):\n%s", diff)
			}
		})
	}
}

// typeFields collects the JSON paths of a type. It does not look into metadata and raw JSON, whose fields are not ours.
func typeFields(typ reflect.Type, path string, into map[string]bool) {
	switch typ.Kind() {
	case reflect.Pointer:
		typeFields(typ.Elem(), path, into)
	case reflect.Slice:
		typeFields(typ.Elem(), path+"[]", into)
	case reflect.Struct:
		if typ == reflect.TypeFor[metav1.ObjectMeta]() || typ == reflect.TypeFor[runtime.RawExtension]() || typ == reflect.TypeFor[metav1.Time]() {
			into[path] = true
			return
		}
		for field := range typ.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" { // inline
				typeFields(field.Type, path, into)
				continue
			}
			typeFields(field.Type, strings.TrimPrefix(path+"."+name, "."), into)
		}
	default:
		into[path] = true
	}
}

// valueFields collects the JSON paths of a value, down to where the paths of the type end.
func valueFields(value any, path string, known, into map[string]bool) {
	if known[path] {
		into[path] = true
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			valueFields(member, strings.TrimPrefix(path+"."+name, "."), known, into)
		}
	case []any:
		for _, item := range value {
			valueFields(item, path+"[]", known, into)
		}
	default:
		into[path] = true
	}
}

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}
