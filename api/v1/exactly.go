package v1

import (
	"reflect"
	"strings"
)

// FieldsOfExactly are the JSON names of what a request asks for: up to v1beta1 they stand in the
// request, and since in its exactly.
func FieldsOfExactly() (names []string) {
	for field := range reflect.TypeFor[ExactDeviceRequest]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
