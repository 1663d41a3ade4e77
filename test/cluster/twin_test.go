//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
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
	manifests := must.Get(config.CRDs(p.group))(t)
	claims, _, _ := strings.Cut(string(manifests), "\n---\n")
	crd := &apiextensionsv1.CustomResourceDefinition{}
	must.Do(t, yaml.UnmarshalStrict([]byte(claims), crd))
	do(crd)
	// Without conversion there is nothing for it to take away.
	must.Get(envtest.InstallCRDs(p.Config, envtest.CRDInstallOptions{CRDs: []*apiextensionsv1.CustomResourceDefinition{crd}}))(t)
}
