package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// identifierMaxLength in bytes of the part of a qualified name behind the slash.
const identifierMaxLength = 32

// checkFullyQualifiedName refuses what is not domain/identifier (P4, P5). Release 1.31 reports a missing domain one
// step below the field. Names with two slashes or more are looked at from 1.38 on.
func (w *write) checkFullyQualifiedName(name string, at place, refuse refuser) {
	parts := strings.Split(name, "/")
	switch {
	case name == "" && w.release < release1_35:
		refuse(field.Required(at.path(), "name required"))
	case len(parts) == 1:
		w.checkIdentifier(name, at, refuse)
	case len(parts) == 2:
		domain, identifier := parts[0], parts[1]
		if domain == "" {
			refuse(w.missingPart(at.path(), "the domain must not be empty"))
		} else {
			w.checkDriverName(domain, at, refuse)
		}
		if identifier == "" {
			refuse(w.missingPart(at.path(), "the name must not be empty"))
		} else {
			w.checkIdentifier(identifier, at, refuse)
		}
	case w.release >= release1_38:
		refuse(invalidName(at.path(), name, "must not contain more than one slash"))
	}
	switch {
	case len(parts) > 1:
	case w.release <= release1_31:
		refuse(field.Required(at.path().Child("domain"), "must include a prefix"))
	case name != "" || w.release >= release1_35:
		refuse(field.Invalid(at.path(), shown(name), "must be a domain and a name, separated by a slash"))
	}
}

// missingPart of a name is something required up to 1.34.
func (w *write) missingPart(at *field.Path, detail string) *field.Error {
	if w.release < release1_35 {
		return field.Required(at, detail)
	}
	return field.Invalid(at, "", detail)
}

func (w *write) checkIdentifier(id string, at place, refuse refuser) {
	if len(id) > identifierMaxLength {
		refuse(field.TooLong(at.path(), "", identifierMaxLength))
	}
	for _, problem := range validation.IsCIdentifier(id) {
		if w.release < release1_34 {
			refuse(field.TypeInvalid(at.path(), shown(id), problem))
		} else {
			refuse(invalidName(at.path(), id, problem))
		}
	}
}

// checkLowerDomain refuses capitals in the domain of a name that has one, as declarative checks do.
func (w *write) checkLowerDomain(name string, at place, refuse refuser) {
	domain, identifier, found := strings.Cut(name, "/")
	if found && domain != strings.ToLower(domain) && !strings.Contains(identifier, "/") {
		refuse(invalidName(at.path(), name, "the domain must be in lower case"))
	}
}
