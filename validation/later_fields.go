package validation

import (
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// laterFields of an object. One that says nothing is not among them: typed clients of 1.32 write adminAccess: null.
func laterFields(object []byte, version, kind string) []laterField {
	var found []laterField
	row, _ := api.Find(version)
	for _, f := range row.LaterFields {
		path := f.Path
		if kind == templateKind {
			path = "spec." + path // there is no spec.status
		}
		walk(object, strings.Split(path, "."), nil, func(at *field.Path, value json.RawMessage) {
			if !saysNothing(value) {
				found = append(found, laterField{at, f.Release, value})
			}
		})
	}
	return found
}

// walk to the members that are at a path. What is not of the shape that the path expects has none; the object has been
// decoded before.
func walk(value json.RawMessage, path []string, at *field.Path, found func(*field.Path, json.RawMessage)) {
	if len(path) == 0 {
		found(at, value)
		return
	}
	name, list := strings.CutSuffix(path[0], "[]")
	var object map[string]json.RawMessage
	if _, err := conversion.Decode(value, &object); err != nil || object[name] == nil {
		return
	}
	if !list {
		walk(object[name], path[1:], at.Child(name), found)
		return
	}
	var items []json.RawMessage
	if _, err := conversion.Decode(object[name], &items); err != nil {
		return
	}
	for i, item := range items {
		walk(item, path[1:], at.Child(name).Index(i), found)
	}
}

// saysNothing reports whether a value is like none: null, false, an empty list.
func saysNothing(value json.RawMessage) bool {
	return conversion.Equal(slices.Concat([]byte(`{"value":`), value, []byte(`}`)), []byte("{}"))
}
