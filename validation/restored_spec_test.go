package validation

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestRestoredSpecsEqualCreatesInV1: a create through an older version with any spec in the
// annotation v1-spec is rejected, or it stores exactly what a create of that spec through v1
// stores, which is then valid there. The specs are generated, and damaged at random: without
// defaults, with values of the wrong type, beyond limits. CLAIMBRIDGE_SPECS sets how many there are
// of each kind.
func TestRestoredSpecsEqualCreatesInV1(t *testing.T) {
	first := objects.Seed(t)
	older := slices.DeleteFunc(conversion.Versions(), api.IsLossless)
	for _, kind := range objects.Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			schema := storedSchema(t, kind)
			source, random := objects.New(first), rand.New(rand.NewPCG(first, 1))
			var cases, restored, rejected, completed int
			for range objects.Count(t, "CLAIMBRIDGE_SPECS", 2_000) {
				undamaged := encode(t, source.Object(conversion.Stored(), kind))
				if random.IntN(3) == 0 {
					undamaged = []byte(withoutDefaults.Replace(string(undamaged)))
				}
				damaged := edit(t, undamaged, func(o jsonObject) {
					delete(o, "status")
					for range random.IntN(4) {
						damage(random, damagedPlace(random, o.claimSpec()))
					}
				})
				spec := specIn(damaged)
				want, valid := createdInV1(t, schema, damaged)
				for _, version := range older {
					cases++
					object := withSpecAnnotation(t, undamaged, damaged, version)
					result, err := Validate(t.Context(), Request{Operation: Create, Object: object})
					if err != nil || len(result.Errors) > 0 {
						rejected++
						continue
					}
					stored, report := must.Get2(conversion.ConvertJSON(object, conversion.Stored(), conversion.Options{}))(t)
					got := specIn(stored)
					switch {
					case !report.RestoredSpec:
						t.Fatalf("%s: the annotation is accepted and not used:\n%s", version, object)
					case !valid:
						t.Fatalf("%s: stored, but v1 rejects a create of this spec:\n%s", version, spec)
					case !conversion.Equal(normalSpec(t, got), want):
						t.Fatalf("%s: the annotation held\n%s\nstored is\n%s\ninstead of\n%s", version, spec, got, want)
					}
					restored++
					if !conversion.Equal(normalSpec(t, spec), want) {
						completed++
					}
				}
			}
			t.Logf("%d cases: %d restored, of which %d lacked defaults, and %d rejected", cases, restored, completed,
				rejected)
			if restored < cases/20 || rejected < cases/20 || completed == 0 {
				t.Errorf("the cases prove little")
			}
		})
	}
}

// withoutDefaults removes the defaults of an API server from an object.
var withoutDefaults = strings.NewReplacer(
	`"allocationMode":"ExactCount","count":1,`, "", `,"allocationMode":"ExactCount","count":1`, "",
	`"allocationMode":"ExactCount"`, `"allocationMode":""`, `"count":1,`, `"count":0,`, `,"operator":"Equal"`, "",
)

// claimSpec returns the spec of a claim, or of the claims of a template.
func (o jsonObject) claimSpec() jsonObject {
	if o["kind"] == templateKind {
		return o.at("spec").at("spec")
	}
	return o.at("spec")
}

// specIn returns the spec of the claim in an object of any version.
func specIn(object []byte) []byte {
	if header, _ := conversion.ReadHeader(object); header.Kind == templateKind {
		return partOf(object, "spec.spec")
	}
	return partOf(object, "spec")
}

// withSpecAnnotation returns an object of an older version whose annotation holds the spec of a
// damaged object of v1. Its own spec is the projection of the damaged object, or of the undamaged one
// if the damaged one cannot be converted.
func withSpecAnnotation(t *testing.T, undamaged, damaged []byte, version string) []byte {
	copied, _, err := conversion.ConvertJSON(damaged, version, conversion.Options{})
	if err != nil {
		copied = convert(t, undamaged, version)
	}
	return edit(t, copied, func(o jsonObject) {
		delete(o, "status")
		removePreservedData(o)
		metadataWithPreservedData(o).at("annotations")[conversion.SpecAnnotation] = string(specIn(damaged))
	})
}

// normalSpec returns a spec of v1 in one spelling. Numbers are those of an API server, which reads what a
// conversion returned as it reads what a client sent.
func normalSpec(t *testing.T, text []byte) []byte {
	t.Helper()
	var tree map[string]any
	if utiljson.Unmarshal(text, &tree) != nil {
		return nil
	}
	var spec v1.ResourceClaimSpec
	if _, err := objectjson.Decode(encode(t, tree), &spec); err != nil {
		return nil
	}
	return objectjson.CanonicalWithDigits(objectjson.Marshal(&spec))
}

// createdInV1 does with an object of v1 what an API server with all webhooks does. It returns the
// spec that is stored, and whether the object is accepted.
func createdInV1(t *testing.T, schema *crdSchema, object []byte) (spec []byte, valid bool) {
	t.Helper()
	object, ok := schema.accepts(t, object)
	if !ok {
		return nil, false
	}
	typed := api.New(conversion.Stored(), schema.kind)
	if unknown, err := objectjson.Decode(object, typed); err != nil || len(unknown) > 0 {
		return nil, false
	}
	v1.SetDefaults(typed)
	object = objectjson.Marshal(typed)
	result, err := Validate(t.Context(), Request{Operation: Create, Object: object})
	return normalSpec(t, specIn(object)), err == nil && len(result.Errors) == 0
}

// crdSchema is the schema of the stored version, as an API server uses it.
type crdSchema struct {
	kind       string
	structural *structuralschema.Structural
	validator  schemavalidation.SchemaValidator
}

func storedSchema(t *testing.T, kind string) *crdSchema {
	t.Helper()
	file := "resource.k8s.io_" + strings.ToLower(kind) + "s.yaml"
	data := must.Get(os.ReadFile(filepath.Join("..", "config", "crd", "bases", file)))(t)
	var external apiextensionsv1.CustomResourceDefinition
	must.Do(t, yaml.UnmarshalStrict(data, &external))
	scheme := runtime.NewScheme()
	install.Install(scheme)
	scheme.Default(&external)
	var definition apiextensions.CustomResourceDefinition
	must.Do(t, scheme.Convert(&external, &definition, nil))
	props := must.Get(apiextensions.GetSchemaForVersion(&definition, conversion.Stored()))(t)
	validator, _ := must.Get2(schemavalidation.NewSchemaValidator(props.OpenAPIV3Schema))(t)
	return &crdSchema{kind, must.Get(structuralschema.NewStructural(props.OpenAPIV3Schema))(t), validator}
}

// accepts reports whether the schema does, and returns the object with the schema's defaults. An
// unknown field counts as an error: an annotation with one is rejected.
func (s *crdSchema) accepts(t *testing.T, object []byte) ([]byte, bool) {
	t.Helper()
	var tree map[string]any
	if utiljson.Unmarshal(object, &tree) != nil {
		return nil, false
	}
	defaulting.Default(tree, s.structural)
	defaulting.PruneNonNullableNullsWithoutDefaults(tree, s.structural)
	pruned := pruning.PruneWithOptions(tree, s.structural, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	errs := schemavalidation.ValidateCustomResource(nil, tree, s.validator)
	return encode(t, tree), len(pruned)+len(errs) == 0
}

// damagedPlace returns a spec, or half of the time the fields of one of its requests.
func damagedPlace(random *rand.Rand, spec jsonObject) map[string]any {
	requests, _ := spec.at("devices")["requests"].([]any)
	if len(requests) == 0 || random.IntN(2) == 0 {
		return spec
	}
	if asked := requestFields(requests[random.IntN(len(requests))]); asked != nil {
		return asked
	}
	return spec
}

// damage damages a JSON tree at one random place.
func damage(random *rand.Rand, o map[string]any) {
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range o {
			if !yield(name) {
				return
			}
		}
	})
	if len(names) == 0 || random.IntN(6) == 0 {
		extra := additions[random.IntN(len(additions))]
		o[extra.name] = extra.value()
		return
	}
	name := names[random.IntN(len(names))]
	value := o[name]
	switch inner := value.(type) {
	case map[string]any:
		if random.IntN(8) > 0 {
			damage(random, inner)
			return
		}
	case []any:
		if len(inner) > 0 && random.IntN(8) > 0 {
			i := random.IntN(len(inner))
			item, isObject := inner[i].(map[string]any)
			switch {
			case isObject && random.IntN(8) > 0:
				damage(random, item)
			case random.IntN(4) == 0:
				for len(inner) < 40 {
					inner = append(inner, inner[i])
				}
				o[name] = inner
			default:
				o[name] = append(inner, inner[i])
			}
			return
		}
	}
	switch random.IntN(3) {
	case 0:
		delete(o, name)
	default:
		values := damagedValues()
		o[name] = values[random.IntN(len(values))]
	}
}

// damagedValues of a member. They are new ones, since they may be damaged in turn.
func damagedValues() []any {
	return []any{
		nil, "", "x", "ExactCount", "All", "Exists", "1024Mi", "9000Ei", 0, 1, -1, 1.5, json.Number("1e3"), true, false,
		map[string]any{},
		[]any{},
		[]any{nil},
		[]any{map[string]any{}},
		"not_a name",
	}
}

// additions are members that an object is damaged with.
var additions = []struct {
	name  string
	value func() any
}{
	{"unknown", func() any { return 1 }},
	{"count", func() any { return 0 }},
	{"allocationMode", func() any { return "" }},
	{"parameters", func() any { return map[string]any{"big": strings.Repeat("x", 10_300)} }},
	{"derivedAttributes", func() any { return []any{map[string]any{"name": "x"}} }},
	{"derivedAttributes", func() any { return []any{map[string]any{"name": "example.com/x", "expression": "1"}} }},
	{"derivedAttributes", func() any {
		var many []any
		for i := range 33 {
			many = append(many, map[string]any{"name": fmt.Sprintf("example.com/x%d", i), "expression": "1"})
		}
		return many
	}},
	{"capacity", func() any { return map[string]any{"requests": map[string]any{"memory": "1Gi"}} }},
	{"tolerations", func() any { return []any{map[string]any{"key": "example.com/a", "effect": "NoSchedule"}} }},
	{"tolerations", func() any { return []any{map[string]any{"operator": "Exists", "effect": "None"}} }},
	{"firstAvailable", func() any { return []any{map[string]any{"name": "a", "deviceClassName": "gpu"}} }},
	{"exactly", func() any { return map[string]any{"deviceClassName": "gpu"} }},
	{"selectors", func() any { return []any{map[string]any{"cel": map[string]any{}}} }},
	{"distinctAttribute", func() any { return "example.com/slot" }},
	{"config", func() any {
		parameters := map[string]any{"big": strings.Repeat("x", 10_300)}
		return []any{map[string]any{"opaque": map[string]any{"driver": "gpu.example.com", "parameters": parameters}}}
	}},
}
