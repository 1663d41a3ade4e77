package lens

import (
	"reflect"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// fields of a type of v1 by their names, and whether they are texts, numbers or booleans that are no pointers: their zero says nothing. What is no
// field came after this package.
type fields map[string]bool

func fieldsOf(t reflect.Type) fields {
	f := fields{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		switch t.Field(i).Type.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Struct:
			f[name] = false
		default:
			f[name] = true
		}
	}
	return f
}

func (f fields) know(name string) bool {
	_, ok := f[name]
	return ok
}

// set reports whether a member is a field that says something, if only with an empty list.
func (f fields) set(m kjson.Member) bool {
	scalar, ok := f[m.Name]
	switch string(m.Value) {
	case `""`, "false", "0", "-0":
		return ok && !scalar
	}
	return ok && !kjson.IsNull(m.Value)
}
