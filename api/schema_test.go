package api_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// write does to a body what an API server does before it asks any webhook: defaults, prunes, validates.
func write(t *testing.T,
	version, kind, body string,
) (stored map[string]any, pruned []string, refusals field.ErrorList) {
	t.Helper()
	schema, props := structural(t, kind, version)
	if err := utiljson.Unmarshal([]byte(body), &stored); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	defaulting.Default(stored, schema)
	defaulting.PruneNonNullableNullsWithoutDefaults(stored, schema)
	pruned = pruning.PruneWithOptions(stored, schema, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	validator, _ := must.Get2(schemavalidation.NewSchemaValidator(props))(t)
	refusals = schemavalidation.ValidateCustomResource(nil, stored, validator)
	return stored, pruned, append(refusals, listtype.ValidateListSetsAndMaps(nil, schema, stored)...)
}

func TestSchemasKeepEveryUpstreamField(t *testing.T) {
	for _, k := range kinds {
		for file, sample := range upstreamSamples(t, k) {
			t.Run(file, func(t *testing.T) {
				stored, pruned, _ := write(t, k.version, k.kind, string(sample))
				if len(pruned) > 0 {
					t.Errorf("the schema drops %v", pruned)
				}
				back := must.Get(json.Marshal(stored))(t)
				if diff := gocmp.Diff(decode(t, sample), decode(t, back)); diff != "" {
					t.Errorf("stored (-sent +stored):\n%s", diff)
				}
			})
		}
	}
}

// body of a claim, or of what kind there is, in a version.
type body struct {
	Version, Kind string
	Body          objects.JSON
	Field         string
	Want          map[string]any
}

func (b body) write(t *testing.T) (stored map[string]any, pruned []string, refusals field.ErrorList) {
	t.Helper()
	return write(t, b.Version, cmp.Or(b.Kind, api.KindClaim), string(b.Body))
}

// The limits in bytes are for rules, whose words say which limit it is; a schema would count characters.
func TestSchemasAcceptWhatUpstreamAcceptedAndRulesApply(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/accepted.yaml") {
		t.Run(name, func(t *testing.T) {
			_, pruned, refusals := test.write(t)
			if len(pruned) > 0 {
				t.Errorf("dropped %v", pruned)
			}
			for _, err := range refusals {
				t.Error(err)
			}
		})
	}
}

// The schema stands in front of the webhooks: what it refuses never reaches them, and must be refused by upstream too.
func TestSchemasRefuseWhatUpstreamRefused(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/refused.yaml") {
		t.Run(name, func(t *testing.T) {
			_, _, refusals := test.write(t)
			if !slices.ContainsFunc(refusals, func(e *field.Error) bool { return e.Field == test.Field }) {
				t.Errorf("want %s among the refused fields, got %v", test.Field, refusals)
			}
		})
	}
}

// Defaults are those of upstream and no more: the API server sets them before conversion, also where a client sent a
// part of an object only, and whatever it sets becomes that client's.
func TestSchemasDefaultWhatUpstreamDoes(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/defaulted.yaml") {
		t.Run(name, func(t *testing.T) {
			stored, _, _ := test.write(t)
			if diff := gocmp.Diff(test.Want, stored); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
