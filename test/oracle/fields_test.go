package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/validation"
)

// unknownTo a release are the fields that came later, or that were gone, by their names, or by
// those of what they are in and their own.
func unknownTo(release string) map[string]bool {
	unknown := map[string]bool{}
	for _, f := range api.Fields() {
		if f.Since <= release && (f.Gone == "" || f.Gone > release) {
			continue
		}
		path := strings.Split(f.Path, ".")
		name := path[len(path)-1]
		if f.Since < "1.33" { // a name that is also that of another field
			name = path[len(path)-2] + "." + name
		}
		unknown[name] = true
	}
	return unknown
}

// hasLaterFields of v1alpha3: those that 1.31 did not have. Rules validate them as 1.33 does, and the
// validator of 1.31 drops them.
func hasLaterFields(object tree) bool { return withoutFields(object, "", unknownTo("1.31"), false) }

func dropLaterFields(object tree) { withoutFields(object, "", unknownTo("1.31"), true) }

// withoutFields reports whether an object has any, and takes them away if that is wanted.
func withoutFields(value any, at string, fields map[string]bool, remove bool) (found bool) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Collect(maps.Keys(v)) {
			name := strings.TrimSuffix(key, duplicate)
			if !fields[name] && !fields[at+"."+name] {
				found = withoutFields(v[key], name, fields, remove) || found
				continue
			}
			if found = true; remove {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			found = withoutFields(item, at, fields, remove) || found
		}
	}
	return found
}

// withoutUnknown is a write without the fields that a release does not have.
func withoutUnknown(t *testing.T, r validation.Request) validation.Request {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		if len(*object) > 0 {
			o := parse(t, *object)
			withoutFields(o, "", unknownTo(r.Release), true)
			*object = render(t, o, false)
		}
	}
	return r
}

// dropOurField removes the field that no release has.
func dropOurField(object tree) {
	if status, ok := object["status"].(tree); ok {
		maps.DeleteFunc(status, func(name string, _ any) bool {
			return strings.HasPrefix(strings.ToLower(name), "claimbridge")
		})
	}
}
