package validation

import (
	"strings"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/names"
)

// validateLabel rejects a name that is not a DNS label: at most 63 bytes, lower case letters, digits and dashes, no
// dots.
func validateLabel(name string, fldPath *field.Path) field.ErrorList {
	return invalidName(fldPath, name, names.LabelProblems(name)...)
}

// validateSubdomain rejects a name that is not a DNS subdomain: at most 253 bytes, labels of any length joined by dots.
// Upstream uses the same check for names of classes, nodes and named resources.
func validateSubdomain(name string, fldPath *field.Path) field.ErrorList {
	return invalidName(fldPath, name, names.SubdomainProblems(name)...)
}

// validateLabelValue rejects an invalid label value.
func validateLabelValue(value string, fldPath *field.Path) field.ErrorList {
	return invalidName(fldPath, value, validation.IsValidLabelValue(value)...)
}

// validateLabelName rejects an invalid label key: it must be a name, or a prefix, a slash and a name.
func validateLabelName(name string, fldPath *field.Path) (errs field.ErrorList) {
	for _, e := range metav1validation.ValidateLabelName(name, nil) {
		errs = append(errs, invalidName(fldPath, name, e.Detail)...)
	}
	return errs
}

// validateDriverName rejects an invalid driver name (P2). Upper case is valid: the name is converted to lower case
// first.
func (in *input) validateDriverName(name string, fldPath *field.Path) (errs field.ErrorList) {
	if name == "" {
		errs = append(errs, field.Required(fldPath, ""))
		if !in.release.validatesEmptyDriverNames() {
			return errs
		}
	}
	if len(name) > names.DriverMaxLength {
		errs = append(errs, field.TooLong(fldPath, "", names.DriverMaxLength))
	}
	return append(errs, invalidName(fldPath, name, names.SubdomainProblems(strings.ToLower(name))...)...)
}

// validatePoolName rejects an invalid pool name (P3): it must be DNS subdomains that are separated by slashes. Only the
// first malformed part is reported: a name of a million slashes would otherwise have a million errors.
func validatePoolName(name string, fldPath *field.Path) (errs field.ErrorList) {
	if name == "" {
		return field.ErrorList{field.Required(fldPath, "")}
	}
	if len(name) > names.PoolMaxLength {
		errs = append(errs, field.TooLong(fldPath, "", names.PoolMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		if problems := names.SubdomainProblems(part); len(problems) > 0 {
			return append(errs, invalidName(fldPath, part, problems...)...)
		}
	}
	return errs
}

// maxIdentifierLength is the maximum length in bytes of the part of a qualified name after the slash.
const maxIdentifierLength = 32

// validateFullyQualifiedName rejects a name that is not domain/identifier (P4, P5).
func (in *input) validateFullyQualifiedName(name string, fldPath *field.Path) (errs field.ErrorList) {
	parts := strings.Split(name, "/")
	if len(parts) > 2 {
		if in.release.rejectsManySlashes() {
			errs = invalidName(fldPath, name, "must not contain more than one slash")
		}
		return errs
	}
	if len(parts) == 2 {
		return in.validateDomainAndIdentifier(parts[0], parts[1], fldPath)
	}
	isMissing := name == "" && in.release.requiresPartsOfNames()
	if isMissing {
		errs = append(errs, field.Required(fldPath, "name required"))
	} else {
		errs = append(errs, in.validateIdentifier(name, fldPath)...)
	}
	switch {
	case in.release.reportsMissingDomainBelow():
		errs = append(errs, field.Required(fldPath.Child("domain"), "must include a prefix"))
	case !isMissing:
		errs = append(errs,
			field.Invalid(fldPath, nameValue(name), "must be a domain and a name, separated by a slash"))
	}
	return errs
}

func (in *input) validateDomainAndIdentifier(domain, identifier string, fldPath *field.Path) (errs field.ErrorList) {
	if domain == "" {
		errs = append(errs, in.missingPart(fldPath, "the domain must not be empty"))
	} else {
		errs = append(errs, in.validateDriverName(domain, fldPath)...)
	}
	if identifier == "" {
		return append(errs, in.missingPart(fldPath, "the name must not be empty"))
	}
	return append(errs, in.validateIdentifier(identifier, fldPath)...)
}

func (in *input) missingPart(fldPath *field.Path, detail string) *field.Error {
	if in.release.requiresPartsOfNames() {
		return field.Required(fldPath, detail)
	}
	return field.Invalid(fldPath, "", detail)
}

func (in *input) validateIdentifier(id string, fldPath *field.Path) (errs field.ErrorList) {
	if len(id) > maxIdentifierLength {
		errs = append(errs, field.TooLong(fldPath, "", maxIdentifierLength))
	}
	for _, problem := range validation.IsCIdentifier(id) {
		if in.release.hasTypeErrorsForIdentifiers() {
			errs = append(errs, field.TypeInvalid(fldPath, nameValue(id), problem))
		} else {
			errs = append(errs, invalidName(fldPath, id, problem)...)
		}
	}
	return errs
}

// validateLowerCaseDomain rejects capitals in the domain of a name that has one, as declarative validation does.
func validateLowerCaseDomain(name string, fldPath *field.Path) field.ErrorList {
	domain, identifier, found := strings.Cut(name, "/")
	if !found || domain == strings.ToLower(domain) || strings.Contains(identifier, "/") {
		return nil
	}
	return invalidName(fldPath, name, "the domain must be in lower case")
}
