package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/validation"
)

// unknownFields returns the fields that a release does not have, by their names. Names that other fields also have are
// preceded by that of the parent and a dot.
func unknownFields(release string) map[string]bool {
	unknown := map[string]bool{}
	for _, f := range api.Fields() {
		if f.Since <= release && (f.RemovedIn == "" || f.RemovedIn > release) {
			continue
		}
		path := strings.Split(f.Path, ".")
		name := path[len(path)-1]
		if f.Since < "1.33" { // other fields have the name too
			name = path[len(path)-2] + "." + name
		}
		unknown[name] = true
	}
	return unknown
}

// hasLaterFields reports whether an object of v1alpha3 has fields that 1.31 does not have. Rules validate them like
// 1.33, and the validator of 1.31 drops them.
func hasLaterFields(object tree) bool { return findFields(object, "", unknownFields("1.31"), false) }

func dropLaterFields(object tree) { findFields(object, "", unknownFields("1.31"), true) }

// findFields reports whether a value has any of the fields, and optionally removes them.
func findFields(value any, parent string, fields map[string]bool, remove bool) (found bool) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Collect(maps.Keys(v)) {
			name := strings.TrimSuffix(key, duplicate)
			if !fields[name] && !fields[parent+"."+name] {
				found = findFields(v[key], name, fields, remove) || found
				continue
			}
			if found = true; remove {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			found = findFields(item, parent, fields, remove) || found
		}
	}
	return found
}

// withoutUnknown returns a write without the fields that its release does not have.
func withoutUnknown(t *testing.T, r validation.Request) validation.Request {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		if len(*object) > 0 {
			o := parse(t, *object)
			findFields(o, "", unknownFields(r.Release), true)
			*object = render(t, o, false)
		}
	}
	return r
}

// dropClaimbridgeField removes the field of claimbridge, which no release has.
func dropClaimbridgeField(object tree) {
	if status, ok := object["status"].(tree); ok {
		maps.DeleteFunc(status, func(name string, _ any) bool {
			return strings.HasPrefix(strings.ToLower(name), "claimbridge")
		})
	}
}
