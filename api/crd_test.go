package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var crdFiles = map[string]string{
	"ResourceClaim":         "resource.k8s.io_resourceclaims.yaml",
	"ResourceClaimTemplate": "resource.k8s.io_resourceclaimtemplates.yaml",
}

// readCRD reads a generated definition, and returns it as the API server has it in a create.
func readCRD(t *testing.T, kind string) *apiextensions.CustomResourceDefinition {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("..", "config", "crd", "bases", crdFiles[kind])))(t)
	var external apiextensionsv1.CustomResourceDefinition
	must.Do(t, yaml.UnmarshalStrict(data, &external))
	scheme := runtime.NewScheme()
	install.Install(scheme)
	scheme.Default(&external)
	var crd apiextensions.CustomResourceDefinition
	must.Do(t, scheme.Convert(&external, &crd, nil))
	// A create sets this field, and validation requires it.
	crd.Status.StoredVersions = []string{api.Stored().Name}
	return &crd
}

// structural returns the structural schema of a version, which the API server uses.
func structural(t *testing.T, kind, version string) (*structuralschema.Structural, *apiextensions.JSONSchemaProps) {
	t.Helper()
	crd := readCRD(t, kind)
	props := must.Get(apiextensions.GetSchemaForVersion(crd, version))(t)
	if props == nil {
		t.Fatalf("%s has no schema for %s", kind, version)
	}
	schema := must.Get(structuralschema.NewStructural(props.OpenAPIV3Schema))(t)
	return schema, props.OpenAPIV3Schema
}

func TestAnAPIServerAcceptsTheDefinitions(t *testing.T) {
	for kind := range crdFiles {
		t.Run(kind, func(t *testing.T) {
			crd := readCRD(t, kind)
			for _, err := range validation.ValidateCustomResourceDefinition(t.Context(), crd) {
				t.Error(err)
			}
			for _, version := range crd.Spec.Versions {
				schema, _ := structural(t, kind, version.Name)
				for _, err := range structuralschema.ValidateStructural(nil, schema) {
					t.Errorf("%s is not structural: %v", version.Name, err)
				}
			}
		})
	}
}

// An API server also accepts definitions that lack a version or store the wrong one.
func TestEachDefinitionHasAllVersions(t *testing.T) {
	type version struct {
		Name                               string
		Served, Storage, Deprecated, Warns bool
		StatusSubresource                  bool
	}
	versions := func(status bool) (all []version) {
		for _, name := range slices.Sorted(slices.Values(api.Names())) {
			newest := name == api.Stored().Name
			all = append(all, version{
				Name: name, Served: true, Storage: newest, Deprecated: !newest, Warns: !newest,
				StatusSubresource: status,
			})
		}
		return all
	}
	tests := map[string][]version{
		"ResourceClaim":         versions(true),
		"ResourceClaimTemplate": versions(false),
	}
	for kind, want := range tests {
		t.Run(kind, func(t *testing.T) {
			crd := readCRD(t, kind)
			var got []version
			for _, v := range crd.Spec.Versions {
				subresources := must.Get(apiextensions.GetSubresourcesForVersion(crd, v.Name))(t)
				got = append(got, version{
					Name: v.Name, Served: v.Served, Storage: v.Storage,
					Deprecated: v.Deprecated, Warns: v.DeprecationWarning != nil,
					StatusSubresource: subresources != nil && subresources.Status != nil,
				})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if crd.Spec.Scope != apiextensions.NamespaceScoped {
				t.Errorf("scope is %s, but claims and templates are namespaced", crd.Spec.Scope)
			}
		})
	}
}
