package validation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Dropped is a field of an object that the API server of a release does not store.
type Dropped struct {
	// Field is its path, with indices.
	Field string
	// Since is the release that added the field, and RemovedIn the release that removed it, if the release does not
	// have the field. With strict field validation, which kubectl requests, an API server then rejects the object. Both
	// are empty for a field whose feature gate is off by default: the API server drops it silently.
	Since, RemovedIn string
}

// rowsByPath has the rows of the table of fields by path.
var rowsByPath = func() map[string]*fieldRow {
	byPath := map[string]*fieldRow{}
	for i := range fieldRows {
		byPath[fieldRows[i].Path] = &fieldRows[i]
	}
	return byPath
}()

// DroppedFields returns the fields that the API server of the release drops or does not know, with its default feature
// gates, in the order of their paths. It checks the part that the operation writes: the spec or the status. Of nested
// fields it returns the outer one. A field with a feature gate is kept if the old object has it. The release can be any
// of package api. Rules don't check dropped fields, so a dropped field can be the cause of another error.
func DroppedFields(r Request) ([]Dropped, error) {
	header, err := conversion.ReadHeader(r.Object)
	if err != nil {
		return nil, err
	}
	release := defaultRelease(header.Version)
	if r.Release != "" {
		release = releaseOf(r.Release)
	}
	var used fieldSet // by the old object
	err = eachTableField(r.OldObject, header.Kind, "", func(_ string, f *fieldRow) bool {
		used |= f.bit
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("oldObject: %w", err)
	}
	part := r.Operation.part()
	disabled := disabledFields(release, part == "spec", used)
	var dropped []Dropped
	err = eachTableField(r.Object, header.Kind, part, func(path string, f *fieldRow) (inside bool) {
		switch {
		case release < f.since:
			dropped = append(dropped, Dropped{Field: path, Since: f.Since})
		case f.removedIn > 0 && release >= f.removedIn:
			dropped = append(dropped, Dropped{Field: path, RemovedIn: f.RemovedIn})
		case f.bit&disabled != 0:
			dropped = append(dropped, Dropped{Field: path})
		default:
			return true
		}
		return false
	})
	return dropped, err
}

// eachTableField calls visit for each field of the table of fields that an object has, in one part or, if part is
// empty, in both. It visits the fields inside of a field if visit returns true.
func eachTableField(object []byte, kind, part string, visit func(path string, f *fieldRow) (inside bool)) error {
	if len(object) == 0 {
		return nil
	}
	members, _, err := objectjson.Members(object)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Name != "spec" && (m.Name != "status" || kind == templateKind) || part != "" && m.Name != part {
			continue
		}
		var value any
		if err := json.Unmarshal(m.Value, &value); err != nil {
			return err
		}
		path := m.Name
		if kind == templateKind {
			template, _ := value.(map[string]any)
			path = "spec.spec"
			value = template["spec"]
		}
		walkTableFields(path, m.Name, value, visit)
	}
	return nil
}

// isUnset reports whether an API server treats a field with the value as not set.
func isUnset(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case bool:
		return !v && name != "adminAccess"
	case string:
		return v == ""
	}
	return false
}

// walkTableFields visits the fields below a value. The path has indices and `exactly`, and the name has neither.
func walkTableFields(path, name string, value any, visit func(path string, f *fieldRow) bool) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			walkTableFields(fmt.Sprintf("%s[%d]", path, i), name, item, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner := v[key]
			innerName := name + "." + key
			if key == "exactly" { // the table of fields does not have it
				innerName = name
			}
			if isUnset(key, inner) {
				continue
			}
			if f, ok := rowsByPath[innerName]; ok && !visit(path+"."+key, f) {
				continue
			}
			walkTableFields(path+"."+key, innerName, inner, visit)
		}
	}
}
