package lens

import (
	"reflect"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// fields of a type of v1 by their names, and what they are. What is no field came after this package.
type fields map[string]reflect.Kind

func fieldsOf(t reflect.Type) fields {
	f := fields{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		f[name] = field.Type.Kind()
	}
	return f
}

func (f fields) know(name string) bool { return f[name] != reflect.Invalid }

// set reports whether a member is a field that says something, if only with an empty list. The zero
// of a text, a number or a boolean that is no pointer says nothing.
func (f fields) set(m kjson.Member) bool {
	switch string(m.Value) {
	case `""`, "false", "0", "-0":
		return slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map, reflect.Struct}, f[m.Name])
	}
	return f.know(m.Name) && !kjson.IsNull(m.Value)
}
