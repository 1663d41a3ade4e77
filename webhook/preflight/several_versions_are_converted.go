package preflight

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

var severalVersionsAreConverted = Check{
	Name:     "several-versions-are-converted",
	Reason:   "With conversion strategy None the API server only changes apiVersion and drops every field that the other version does not have. What is written back is lost.",
	Severity: Problem,
	Remedy:   "Apply the manifests again, before anybody writes.",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			if several := inUse(crd); len(several) > 1 && !convertsByWebhook(crd) {
				v.report(definitions.object("", crd.Name),
					fmt.Sprintf("has conversion strategy None, but %s are served or stored: fields that one of them does not have are dropped", strings.Join(several, ", ")),
					v.convertAgain())
			}
		}
	},
}

// inUse are the versions that are served, or that objects are or may be stored in.
func inUse(crd *apiextensionsv1.CustomResourceDefinition) (names []string) {
	for _, version := range crd.Spec.Versions {
		if version.Served || version.Storage || slices.Contains(crd.Status.StoredVersions, version.Name) {
			names = append(names, version.Name)
		}
	}
	return names
}

func (v *view) convertAgain() remedy {
	r := v.apply(config.CRDsPart)
	r.text = "before anybody writes, " + r.text
	return r
}
