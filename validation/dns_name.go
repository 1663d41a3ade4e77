package validation

import (
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
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

// checkLabelName refuses what cannot be the name of a label: a prefix, a slash and a name, or the name alone.
func checkLabelName(name string, at func() *field.Path, refuse refuse) {
	for _, e := range metav1validation.ValidateLabelName(name, nil) {
		refuse(invalidName(at(), name, e.Detail))
	}
}
