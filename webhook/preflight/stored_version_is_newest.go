package preflight

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

var storedVersionIsNewest = Check{
	Name:     "stored-version-is-newest",
	Reason:   "claimbridge keeps claims in v1alpha3. In an older version what that one has no field for is in annotations, which writes can lose.",
	Severity: Problem,
	Remedy:   "Apply the manifests again: they store " + newest + ".",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			if stored := storedVersion(crd); stored != newest {
				v.report(definitions.object("", crd.Name), fmt.Sprintf("stores %s, the newest version is %s", stored, newest), v.apply(config.CRDsPart))
			}
		}
	},
}

func storedVersion(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			return version.Name
		}
	}
	return "" // an API server accepts no definition without one
}
