package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// identifierMaxLength in bytes of the part of a qualified name behind the slash.
const identifierMaxLength = 32

// checkFullyQualifiedName refuses what is not domain/identifier (P4, P5). Release 1.31 reports a missing domain one
// step below the field, and lets names with two slashes or more pass unchecked; so does this.
func checkFullyQualifiedName(name string, at func() *field.Path, refuse refuse) {
	parts := strings.Split(name, "/")
	switch {
	case name == "":
		refuse(field.Required(at(), "name required"))
	case len(parts) == 1:
		checkIdentifier(name, at, refuse)
	case len(parts) == 2:
		domain, identifier := parts[0], parts[1]
		if domain == "" {
			refuse(field.Required(at(), "the prefix must not be empty"))
		} else {
			checkDriverName(domain, at, refuse)
		}
		if identifier == "" {
			refuse(field.Required(at(), "the name must not be empty"))
		} else {
			checkIdentifier(identifier, at, refuse)
		}
	}
	if len(parts) == 1 {
		refuse(field.Required(at().Child("domain"), "must include a prefix"))
	}
}

func checkIdentifier(id string, at func() *field.Path, refuse refuse) {
	if len(id) > identifierMaxLength {
		refuse(field.TooLong(at(), "", identifierMaxLength))
	}
	for _, problem := range validation.IsCIdentifier(id) {
		refuse(field.TypeInvalid(at(), shown(id), problem))
	}
}
