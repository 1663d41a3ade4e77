package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/names"
)

// checkPoolName refuses what cannot name a pool (P3): DNS subdomains joined by slashes. Only the first bad part is
// named: a name of a million slashes would otherwise be a million errors at one place.
func checkPoolName(name string, at func() *field.Path, refuse refuse) {
	if name == "" {
		refuse(field.Required(at(), ""))
		return
	}
	if len(name) > names.PoolMaxLength {
		refuse(field.TooLong(at(), "", names.PoolMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		problems := names.SubdomainProblems(part)
		for _, problem := range problems {
			refuse(invalidName(at(), part, problem))
		}
		if len(problems) > 0 {
			return
		}
	}
}
