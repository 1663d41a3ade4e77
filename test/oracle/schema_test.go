package oracle

import (
	"encoding/json"
	"reflect"
	"strings"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// fieldNames of each object of a version and kind, by its path, with * for an index or a key of a map.
type fieldNames map[string][]string

var schemas = map[string]fieldNames{
	"v1alpha1ResourceClaim":         fieldsOf(v1alpha1.ResourceClaim{}),
	"v1alpha1ResourceClaimTemplate": fieldsOf(v1alpha1.ResourceClaimTemplate{}),
	"v1alpha2ResourceClaim":         fieldsOf(v1alpha2.ResourceClaim{}),
	"v1alpha2ResourceClaimTemplate": fieldsOf(v1alpha2.ResourceClaimTemplate{}),
	"v1alpha3ResourceClaim":         fieldsOf(v1alpha3.ResourceClaim{}),
	"v1alpha3ResourceClaimTemplate": fieldsOf(v1alpha3.ResourceClaimTemplate{}),
	"v1beta1ResourceClaim":          fieldsOf(v1beta1.ResourceClaim{}),
	"v1beta1ResourceClaimTemplate":  fieldsOf(v1beta1.ResourceClaimTemplate{}),
	"v1beta2ResourceClaim":          fieldsOf(v1beta2.ResourceClaim{}),
	"v1beta2ResourceClaimTemplate":  fieldsOf(v1beta2.ResourceClaimTemplate{}),
	"v1ResourceClaim":               fieldsOf(v1.ResourceClaim{}),
	"v1ResourceClaimTemplate":       fieldsOf(v1.ResourceClaimTemplate{}),
}

func fieldsOf(object any) fieldNames {
	f := fieldNames{}
	f.walk(reflect.TypeOf(object), "")
	return f
}

// walk into whatever is an object in JSON. What reads itself, such as a time, is a value.
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
				continue // a field of ours, which upstream does not know
			}
			f[path] = append(f[path], name)
			f.walk(field.Type, strings.TrimPrefix(path+"."+name, "."))
		}
	}
}
