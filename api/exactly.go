package api

import (
	"reflect"
	"slices"
	"strings"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// RequestField is a row of the table of fields of a device request. In versions for which [HasExactly] is true, the
// fields with InExactly are in `exactly`, an object in the request. In older versions they are in the request itself.
type RequestField struct {
	// Name is the name of the field in JSON, in all versions.
	Name string
	// InExactly is true for all fields except name and firstAvailable.
	InExactly bool
	// ZeroIsUnset is true for a string, number or boolean whose zero value has the same meaning as an absent field. It is
	// false for a pointer.
	ZeroIsUnset bool
}

// requestFields is derived from the Go types, so that a new field doesn't need a row here.
var requestFields = slices.Concat(
	fieldsOf(reflect.TypeFor[v1.DeviceRequest](), false),
	fieldsOf(reflect.TypeFor[v1.ExactDeviceRequest](), true),
)

func fieldsOf(structType reflect.Type, inExactly bool) (fields []RequestField) {
	for field := range structType.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == exactly {
			continue
		}
		fields = append(fields, RequestField{Name: name, InExactly: inExactly, ZeroIsUnset: isScalar(field.Type.Kind())})
	}
	return fields
}

func isScalar(kind reflect.Kind) bool {
	return kind == reflect.String || kind == reflect.Bool || kind == reflect.Int64 || kind == reflect.Int32
}

const exactly = "exactly"

// RequestFields returns the table of fields of a device request, in the order of the types.
func RequestFields() []RequestField { return slices.Clone(requestFields) }

// FindRequestField returns the row of a field of a device request. `exactly` has none.
func FindRequestField(name string) (field RequestField, isKnown bool) {
	i := slices.IndexFunc(requestFields, func(f RequestField) bool { return f.Name == name })
	if i < 0 {
		return RequestField{}, false
	}
	return requestFields[i], true
}

// RequestFieldPath returns the path segments of a field of a device request in a version, relative to the request: for
// count, these are exactly and count in v1, and count in v1beta1. A field that has no row in the table is treated as a
// field of `exactly`, because Kubernetes adds fields there.
func RequestFieldPath(version, name string) []string {
	field, isKnown := FindRequestField(name)
	if HasExactly(version) && (field.InExactly || !isKnown) {
		return []string{exactly, name}
	}
	return []string{name}
}

// ExactlySince returns the first version that has `exactly`, and the version before it.
func ExactlySince() (first, before string) {
	i := slices.IndexFunc(versions, func(v Version) bool { return v.Exactly })
	return versions[i].Name, versions[i-1].Name
}
