package validation

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// TestStoredParametersAreComplete sets each field of v1 that has the JSON of drivers, in turn. Depth and numbers
// must be those of the part as JSON.
func TestStoredParametersAreComplete(t *testing.T) {
	in := &input{kind: claimKind}
	for part, want := range map[reflect.Type]int{
		reflect.TypeFor[*v1.ResourceClaimSpec]():   1,
		reflect.TypeFor[*v1.ResourceClaimStatus](): 2,
	} {
		deep := valuesWithParameters(part, `{"a":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}`)
		if len(deep) != want {
			t.Errorf("%s: %d fields have parameters, want %d", part, len(deep), want)
		}
		for _, v := range deep {
			text := encodePart(v.Interface())
			if got, want := in.nestingOf(v.Interface()), objectjson.Depth(text); got != want {
				t.Errorf("%d levels, want %d: %s", got, want, text)
			}
			if !hasReadableNumbers(v.Interface()) {
				t.Errorf("unreadable numbers: %s", text)
			}
		}
		for _, v := range valuesWithParameters(part, `{"a":1e999}`) {
			if hasReadableNumbers(v.Interface()) {
				t.Errorf("readable numbers: %s", encodePart(v.Interface()))
			}
		}
	}
}

// valuesWithParameters returns a value of a type for each field with parameters, in which only that field is set.
func valuesWithParameters(t reflect.Type, parameters string) (values []reflect.Value) {
	if t == reflect.TypeFor[runtime.RawExtension]() {
		return []reflect.Value{reflect.ValueOf(runtime.RawExtension{Raw: []byte(parameters)})}
	}
	switch t.Kind() {
	case reflect.Pointer:
		for _, v := range valuesWithParameters(t.Elem(), parameters) {
			pointer := reflect.New(t.Elem())
			pointer.Elem().Set(v)
			values = append(values, pointer)
		}
	case reflect.Slice:
		for _, v := range valuesWithParameters(t.Elem(), parameters) {
			values = append(values, reflect.Append(reflect.Zero(t), v))
		}
	case reflect.Map:
		for _, v := range valuesWithParameters(t.Elem(), parameters) {
			m := reflect.MakeMap(t)
			m.SetMapIndex(reflect.Zero(t.Key()), v)
			values = append(values, m)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			for _, v := range valuesWithParameters(t.Field(i).Type, parameters) {
				s := reflect.New(t).Elem()
				s.Field(i).Set(v)
				values = append(values, s)
			}
		}
	}
	return values
}
