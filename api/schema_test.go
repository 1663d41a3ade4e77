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

// write sets defaults, prunes and validates a body, as an API server does before it calls a webhook.
func write(t *testing.T,
	version, kind, body string,
) (stored map[string]any, pruned []string, rejections field.ErrorList) {
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
	rejections = schemavalidation.ValidateCustomResource(nil, stored, validator)
	return stored, pruned, append(rejections, listtype.ValidateListSetsAndMaps(nil, schema, stored)...)
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

// body returns the body of a claim in a version, or of the kind in it.
type body struct {
	Version, Kind string
	Body          objects.JSON
	Field         string
	Want          map[string]any
}

func (b body) write(t *testing.T) (stored map[string]any, pruned []string, rejections field.ErrorList) {
	t.Helper()
	return write(t, b.Version, cmp.Or(b.Kind, api.KindClaim), string(b.Body))
}

// Validation rules check limits in bytes. A schema would count characters.
func TestSchemasAcceptWhatUpstreamAccepts(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/accepted.yaml") {
		t.Run(name, func(t *testing.T) {
			_, pruned, rejections := test.write(t)
			if len(pruned) > 0 {
				t.Errorf("dropped %v", pruned)
			}
			for _, err := range rejections {
				t.Error(err)
			}
		})
	}
}

// The schema is checked before the webhooks. What it rejects, upstream must reject too.
func TestSchemasRejectOnlyWhatUpstreamRejects(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/rejected.yaml") {
		t.Run(name, func(t *testing.T) {
			_, _, rejections := test.write(t)
			if !slices.ContainsFunc(rejections, func(e *field.Error) bool { return e.Field == test.Field }) {
				t.Errorf("want %s among the rejected fields, got %v", test.Field, rejections)
			}
		})
	}
}

// The schemas have only upstream's defaults. The API server sets them before the conversion, even if a client sent only
// a part of an object, and the client then owns these fields.
func TestSchemasSetUpstreamsDefaults(t *testing.T) {
	for name, test := range objects.Cases[body](t, "testdata/defaulted.yaml") {
		t.Run(name, func(t *testing.T) {
			stored, _, _ := test.write(t)
			if diff := gocmp.Diff(test.Want, stored); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
