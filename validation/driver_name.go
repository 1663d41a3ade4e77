package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/names"
)

// checkDriverName refuses what cannot name a driver (P2). Upper case is legal: the check is made on the name in lower
// case. An empty name is both missing and malformed, as upstream has it up to release 1.34.
func (w *write) checkDriverName(name string, at func() *field.Path, refuse refuse) {
	if name == "" {
		refuse(field.Required(at(), ""))
		if w.release >= release1_35 {
			return
		}
	}
	if len(name) > names.DriverMaxLength {
		refuse(field.TooLong(at(), "", names.DriverMaxLength))
	}
	for _, problem := range names.SubdomainProblems(strings.ToLower(name)) {
		refuse(invalidName(at(), name, problem))
	}
}
