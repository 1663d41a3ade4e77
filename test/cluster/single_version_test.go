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

// controlPlaneForVersion returns a plane with a separate group that has one version and no conversion.
func controlPlaneForVersion(t *testing.T, version string) *plane {
	t.Helper()
	p := *customGroup
	p.name, p.group = "only "+version, "only."+version+".example.com"
	install(t, &p, func(crd *apiextensionsv1.CustomResourceDefinition) {
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
	return &p
}

// install changes the definitions, installs them, and waits until they are served.
func install(t testing.TB, p *plane, change func(*apiextensionsv1.CustomResourceDefinition)) {
	t.Helper()
	var crds []*apiextensionsv1.CustomResourceDefinition
	for manifest := range strings.SplitSeq(string(must.Get(config.CRDs(p.group))(t)), "\n---\n") {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		must.Do(t, yaml.UnmarshalStrict([]byte(manifest), crd))
		change(crd)
		crds = append(crds, crd)
	}
	// Without conversion there is no data that it could remove.
	must.Get(envtest.InstallCRDs(p.Config, envtest.CRDInstallOptions{CRDs: crds}))(t)
}
