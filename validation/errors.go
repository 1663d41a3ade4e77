package validation

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// longestName that any field of the API may hold, in bytes: a DNS subdomain, and a pool's name.
const longestName = 253

// shown is a refused name as an error may repeat it. What is longer than any name is no name but something else, maybe
// a secret, and would make the answer as big as the request: it is left out.
func shown(name string) any {
	if len(name) > longestName {
		return field.OmitValueType{}
	}
	return name
}

// invalidName has the words of one of apimachinery's name checks.
func invalidName(at *field.Path, name, problem string) *field.Error {
	return field.Invalid(at, shown(name), problem)
}

// refuseName for each of the problems that apimachinery's checks have with it.
func refuseName(name string, problems []string, at place, refuse refuser) {
	for _, problem := range problems {
		refuse(invalidName(at.path(), name, problem))
	}
}

// refuseUnknown value of an enumeration.
func refuseUnknown[T ~string](value T, known []T, at place, refuse refuser) {
	if !slices.Contains(known, value) {
		refuse(field.NotSupported(at.path(), shown(string(value)), known))
	}
}

// tooMany is a refused list. Releases up to 1.31 gave the error the type of a text that is too long.
func (w *write) tooMany(at *field.Path, n, limit int) *field.Error {
	if w.release >= release1_32 {
		return field.TooMany(at, n, limit)
	}
	return &field.Error{
		Type:     field.ErrorTypeTooLong,
		Field:    at.String(),
		BadValue: n,
		Detail:   fmt.Sprintf("may not be longer than %d", limit),
	}
}

// immutable is a refused change. Unlike upstream's error it does not show what the field was changed to: specs and
// allocations may hold credentials, and answers reach audit logs.
func immutable(at *field.Path) *field.Error {
	return field.Invalid(at, field.OmitValueType{}, "field is immutable")
}

// repeatedAt is where an item is refused whose key was there before: at the key up to 1.34, at the item from 1.35 on.
func (w *write) repeatedAt(item *field.Path, key string) *field.Path {
	if w.release < release1_35 {
		return item.Child(key)
	}
	return item
}
