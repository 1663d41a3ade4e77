package openapi

import (
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
)

// schemas of a version's kinds, and of what they refer to, by their names.
func schemas(t *testing.T, version string) map[string]*spec.Schema {
	t.Helper()
	scheme := served.NewScheme()
	config := genericapiserver.NewConfig(serializer.NewCodecFactory(scheme))
	Configure(config, scheme)
	var names []string
	for _, kind := range served.Kinds(version) {
		names = append(names, util.GetCanonicalTypeName(kind.New()), util.GetCanonicalTypeName(kind.NewList()))
	}
	// It fails for a definition that was pruned and is referred to.
	document, err := builder3.BuildOpenAPIDefinitionsForResources(config.OpenAPIV3Config, names...)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestEveryKindHasASchemaByUpstreamsName(t *testing.T) {
	for _, version := range served.Versions() {
		t.Run(version, func(t *testing.T) {
			all := schemas(t, version)
			for _, kind := range served.Kinds(version) {
				for _, name := range []string{kind.Kind, kind.Kind + "List"} {
					schema := all["io.k8s.api.resource."+version+"."+name]
					if schema == nil {
						t.Errorf("no schema of %s", name)
						continue
					}
					want := []any{map[string]any{"group": "resource.k8s.io", "version": version, "kind": name}} // by which clients find it
					if got := schema.Extensions["x-kubernetes-group-version-kind"]; !reflect.DeepEqual(got, want) {
						t.Errorf("the schema of %s is of %v, want %v", name, got, want)
					}
				}
			}
			for name, schema := range all {
				if strings.Contains(name, "claimbridge") {
					t.Errorf("%s is not a name of upstream's", name)
				}
				if strings.HasPrefix(name, "io.k8s.api.resource.") && !strings.HasPrefix(name, "io.k8s.api.resource."+version+".") {
					t.Errorf("%s is of another version", name)
				}
				for property := range schema.Properties {
					if strings.HasPrefix(property, "claimbridge") {
						t.Errorf("%s has %s, which no API server has", name, property)
					}
				}
			}
		})
	}
}

// A property that is in the Go type and not in the schema would be refused by kubectl.
func TestSchemasHaveTheFieldsOfTheirTypes(t *testing.T) {
	for _, version := range served.Versions() {
		all := schemas(t, version)
		for _, kind := range served.Kinds(version) {
			schema := all["io.k8s.api.resource."+version+"."+kind.Kind]
			typed := reflect.TypeOf(kind.New()).Elem()
			for i := range typed.NumField() {
				field := typed.Field(i)
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if name == "" {
					continue // TypeMeta, which is inlined
				}
				if _, has := schema.Properties[name]; !has {
					t.Errorf("%s %s: the schema has no %s", version, kind.Kind, name)
				}
			}
		}
	}
}

// Two Go types by one name would make a document of half of each.
func TestNoNameIsOfTwoTypes(t *testing.T) {
	scheme := served.NewScheme()
	config := genericapiserver.NewConfig(serializer.NewCodecFactory(scheme))
	Configure(config, scheme)
	types := map[string]string{}
	for goName := range GetOpenAPIDefinitions(spec.MustCreateRef) {
		name, _ := config.OpenAPIV3Config.GetDefinitionName(goName)
		if other, twice := types[name]; twice {
			t.Errorf("%s is %s and %s", name, goName, other)
		}
		types[name] = goName
	}
}
