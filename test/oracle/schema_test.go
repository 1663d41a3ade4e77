package oracle

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// fieldNames are the names of the fields in each JSON object of a version and kind, by its path. * is an index or a
// key.
type fieldNames map[string][]string

var schemas = func() map[string]fieldNames {
	all := map[string]fieldNames{}
	for _, version := range api.Names() {
		for _, kind := range objects.Kinds {
			f := fieldNames{}
			f.walk(reflect.TypeOf(api.New(version, kind)), "")
			all[version+kind] = f
		}
	}
	return all
}()

// walk adds the fields of a type. A type that implements json.Unmarshaler, such as a time, is a single value.
func (f fieldNames) walk(t reflect.Type, path string) {
	unmarshaler := reflect.TypeFor[json.Unmarshaler]()
	if path != "" && reflect.PointerTo(t).Implements(unmarshaler) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		f.walk(t.Elem(), path)
	case reflect.Slice, reflect.Map:
		f.walk(t.Elem(), path+".*")
	case reflect.Struct:
		for i := range t.NumField() {
			field := t.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				f.walk(field.Type, path)
				continue
			}
			if strings.HasPrefix(name, "claimbridge") {
				continue // a field of claimbridge, which upstream does not have
			}
			f[path] = append(f[path], name)
			f.walk(field.Type, strings.TrimPrefix(path+"."+name, "."))
		}
	}
}
