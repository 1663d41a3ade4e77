package findings

import (
	"reflect"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// maxSteps limits the search for a field to a number of levels up and down. In a template, `spec.requests` is three
// levels from its proper path, spec.spec.devices.requests.
const maxSteps = 3

// level is an object on the way to a field: its type, and its path as the author has it, with indices.
type level struct {
	typ  reflect.Type
	path string
}

// expectedPath returns the nearest path at which the type of an object has a field with the name of the unknown field
// at path. It returns "" if there is none, or if several are equally near.
func expectedPath(h conversion.Header, path string) string {
	levels := levelsOf(h, path)
	if len(levels) == 0 {
		return ""
	}
	parent := levels[len(levels)-1].path
	name := strings.TrimPrefix(strings.TrimPrefix(path, parent), ".")
	for steps := 1; steps <= maxSteps; steps++ {
		var found []string
		for up := 0; up <= min(steps, len(levels)-1); up++ {
			down := steps - up
			if down > 0 && name == "name" {
				continue // many objects have a name
			}
			from := levels[len(levels)-1-up]
			found = append(found, below(from.typ, from.path, name, down)...)
		}
		if len(found) > 0 {
			isStatus := func(path string) bool { return strings.HasPrefix(path, "status.") }
			found = slices.DeleteFunc(found, func(candidate string) bool { return isStatus(candidate) && !isStatus(path) })
			if len(found) == 1 {
				return found[0]
			}
			return ""
		}
	}
	return ""
}

// levelsOf returns the objects on the path of an unknown field, from the whole object to the one in
// which the field is unknown.
func levelsOf(h conversion.Header, path string) (levels []level) {
	at := structOf(reflect.TypeOf(api.New(h.Version, h.Kind)))
	parent := ""
	for at != nil {
		levels = append(levels, level{at, parent})
		types := map[string]reflect.Type{}
		fieldsOf(at, types)
		rest := strings.TrimPrefix(strings.TrimPrefix(path, parent), ".")
		name, _, _ := strings.Cut(rest, ".")
		field := types[indices.ReplaceAllString(name, "")]
		if field == nil || name == rest {
			return levels
		}
		at = structOf(field)
		parent = strings.TrimPrefix(parent+"."+name, ".")
	}
	return nil // the path is within a map, or within a value that is not a struct
}

// below returns the paths of a field that is down levels below an object.
func below(typ reflect.Type, path, name string, down int) (found []string) {
	types := map[string]reflect.Type{}
	for _, field := range fieldsOf(typ, types) {
		fieldPath := strings.TrimPrefix(path+"."+field, ".")
		switch inner := structOf(types[field]); {
		case down == 0 && field == name:
			found = append(found, fieldPath)
		case down > 0 && inner != nil:
			if isList(types[field]) {
				fieldPath += "[]"
			}
			found = append(found, below(inner, fieldPath, name, down-1)...)
		}
	}
	return found
}

// structOf returns the struct that a type is, points to, or is a list of; nil if there is none.
func structOf(t reflect.Type) reflect.Type {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

func isList(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Slice
}
