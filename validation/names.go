package validation

import (
	"strings"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/names"
)

// checkLabel refuses what is not a DNS label: at most 63 bytes, lower case letters, digits and dashes, no dots.
func checkLabel(name string, at place, refuse refuser) {
	refuseName(name, names.LabelProblems(name), at, refuse)
}

// checkSubdomain refuses what is not a DNS subdomain: at most 253 bytes, labels of any length joined by dots. Upstream
// uses the same check for names of classes, nodes and named resources.
func checkSubdomain(name string, at place, refuse refuser) {
	refuseName(name, names.SubdomainProblems(name), at, refuse)
}

// checkLabelName refuses what cannot be the name of a label: a prefix, a slash and a name, or the name alone.
func checkLabelName(name string, at place, refuse refuser) {
	for _, e := range metav1validation.ValidateLabelName(name, nil) {
		refuse(invalidName(at.path(), name, e.Detail))
	}
}

// checkDriverName refuses what cannot name a driver (P2). Upper case is legal: the check is made on the name in lower
// case. An empty name is both missing and malformed, as upstream has it up to release 1.34.
func (w *write) checkDriverName(name string, at place, refuse refuser) {
	if name == "" {
		refuse(field.Required(at.path(), ""))
		if w.release >= release1_35 {
			return
		}
	}
	if len(name) > names.DriverMaxLength {
		refuse(field.TooLong(at.path(), "", names.DriverMaxLength))
	}
	refuseName(name, names.SubdomainProblems(strings.ToLower(name)), at, refuse)
}

// checkPoolName refuses what cannot name a pool (P3): DNS subdomains joined by slashes. Only the first bad part is
// named: a name of a million slashes would otherwise be a million errors at one place.
func checkPoolName(name string, at place, refuse refuser) {
	if name == "" {
		refuse(field.Required(at.path(), ""))
		return
	}
	if len(name) > names.PoolMaxLength {
		refuse(field.TooLong(at.path(), "", names.PoolMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		if problems := names.SubdomainProblems(part); len(problems) > 0 {
			refuseName(part, problems, at, refuse)
			return
		}
	}
}
