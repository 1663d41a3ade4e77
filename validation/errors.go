package validation

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxQuotedName is the length, in bytes, up to which errors quote a name: that of a DNS subdomain. Longer values may be
// secrets, and would make the response as large as the request.
const maxQuotedName = 253

// nameValue returns the value of an error about an invalid name. It omits a name that is too long to quote.
func nameValue(name string) any {
	if len(name) > maxQuotedName {
		return field.OmitValueType{}
	}
	return name
}

// shortenName returns a name for a path. It truncates a name that is too long to quote.
func shortenName(name string) string {
	if len(name) <= maxQuotedName {
		return name
	}
	return strings.ToValidUTF8(name[:maxQuotedName], "") + "..."
}

// invalidName returns an error for each problem of a name, in the words of apimachinery.
func invalidName(fldPath *field.Path, name string, problems ...string) (errs field.ErrorList) {
	for _, problem := range problems {
		errs = append(errs, field.Invalid(fldPath, nameValue(name), problem))
	}
	return errs
}

// validateEnum rejects an unknown value of an enumeration.
func validateEnum[T ~string](value T, fldPath *field.Path, known ...T) field.ErrorList {
	if slices.Contains(known, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(fldPath, nameValue(string(value)), known)}
}

// validateLength rejects a list that has more items than the limit.
func (in *input) validateLength(n, limit int, fldPath *field.Path) field.ErrorList {
	switch {
	case n <= limit:
		return nil
	case in.release.reportsLongListsAsTooMany():
		return field.ErrorList{field.TooMany(fldPath, n, limit)}
	}
	return field.ErrorList{&field.Error{
		Type:     field.ErrorTypeTooLong,
		Field:    fldPath.String(),
		BadValue: n,
		Detail:   fmt.Sprintf("may not be longer than %d", limit),
	}}
}

// validatedItems returns the items of a list that are validated: none of a list beyond its limit, in releases that skip
// them.
func validatedItems[T any](in *input, list []T, limit int) []T {
	if len(list) > limit && in.release.skipsItemsOfLongLists() {
		return nil
	}
	return list
}

// immutable returns the error for a changed field. Unlike upstream's it does not contain the new value: specs and
// allocations may hold credentials, and responses are written to audit logs.
func immutable(fldPath *field.Path) *field.Error {
	return field.Invalid(fldPath, field.OmitValueType{}, "field is immutable")
}

// duplicatePath returns the path of the error for a duplicate item with a key.
func (in *input) duplicatePath(item *field.Path, key string) *field.Path {
	if in.release.reportsDuplicatesAtItem() {
		return item
	}
	return item.Child(key)
}

// duplicates returns the index of each item of a list that an earlier item equals.
func duplicates[T comparable](list []T) iter.Seq[int] {
	return duplicatesBy(list, func(item *T) T { return *item })
}

// duplicatesBy returns the index of each item of a list whose key an earlier item has.
func duplicatesBy[T any, Key comparable](list []T, keyOf func(*T) Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(list) < 2 {
			return
		}
		seen := make(map[Key]bool, len(list))
		for i := range list {
			key := keyOf(&list[i])
			if seen[key] && !yield(i) {
				return
			}
			seen[key] = true
		}
	}
}
