package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/names"
)

// checkLabel refuses what is not a DNS label: at most 63 bytes, lower case letters, digits and dashes, no dots.
func checkLabel(name string, at func() *field.Path, refuse refuse) {
	for _, problem := range names.LabelProblems(name) {
		refuse(invalidName(at(), name, problem))
	}
}

// checkSubdomain refuses what is not a DNS subdomain: at most 253 bytes, labels of any length joined by dots. Upstream
// uses the same check for names of classes, nodes and named resources.
func checkSubdomain(name string, at func() *field.Path, refuse refuse) {
	for _, problem := range names.SubdomainProblems(name) {
		refuse(invalidName(at(), name, problem))
	}
}
