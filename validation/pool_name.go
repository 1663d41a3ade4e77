package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// poolNameMaxLength in bytes, as upstream has it.
const poolNameMaxLength = 253

// checkPoolName refuses what cannot name a pool (P3): DNS subdomains joined by slashes. Only the first bad part is
// told: a name of a million slashes would otherwise be a million errors at one place.
func checkPoolName(name string, at func() *field.Path, refuse refuse) {
	if name == "" {
		refuse(field.Required(at(), ""))
		return
	}
	if len(name) > poolNameMaxLength {
		refuse(field.TooLong(at(), "", poolNameMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		problems := validation.IsDNS1123Subdomain(part)
		for _, problem := range problems {
			refuse(invalidName(at(), part, problem))
		}
		if len(problems) > 0 {
			return
		}
	}
}
