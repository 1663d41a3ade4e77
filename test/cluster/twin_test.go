//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// twinOf a version: claims of a group of their own, with this one version and no conversion.
func twinOf(t *testing.T, version string) *plane {
	t.Helper()
	twin := *ownGroup
	twin.name, twin.group = "twin of "+version, "twin."+version+"."+strings.ToLower(strings.ReplaceAll(t.Name(), "/", "."))+".example.com"
	install(t, &twin, func(crd *apiextensionsv1.CustomResourceDefinition) {
		crd.Spec.Conversion = nil
		crd.Spec.Names.ShortNames, crd.Spec.Names.Categories = nil, nil
		for _, v := range crd.Spec.Versions {
			if v.Name == version {
				v.Storage = true
				crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{v}
				break
			}
		}
	})
	return &twin
}

// install the definition of claims as it is when this was done to it, and wait until it is served.
func install(t testing.TB, p *plane, do func(*apiextensionsv1.CustomResourceDefinition)) {
	t.Helper()
	manifests, err := config.CRDs(p.group)
	if err != nil {
		t.Fatal(err)
	}
	claims, _, _ := strings.Cut(string(manifests), "\n---\n")
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(claims), crd); err != nil {
		t.Fatal(err)
	}
	do(crd)
	// Without conversion there is nothing for it to take away.
	if _, err := envtest.InstallCRDs(p.Config, envtest.CRDInstallOptions{CRDs: []*apiextensionsv1.CustomResourceDefinition{crd}}); err != nil {
		t.Fatal(err)
	}
}
