package validation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Dropped is a field of an object that the API server of a release does not store.
type Dropped struct {
	// Field is its path, with indices.
	Field string
	// Since is the release that it came with and Gone the one without it, when the release does not
	// have it: then an API server that is asked for strict field validation, as kubectl asks it,
	// refuses the object. Both are empty for a field that stands behind a feature gate which is off
	// by default: it is dropped, and nobody is told.
	Since, Gone string
}

// gatedByPath are the rows of the table of fields.
var gatedByPath = func() map[string]*gatedField {
	byPath := map[string]*gatedField{}
	for i := range gatedFields {
		byPath[gatedFields[i].Path] = &gatedFields[i]
	}
	return byPath
}()

// DroppedFields are those of the part that a write brings, the spec or the status, which the API
// server of the release drops or does not know, at its default feature gates: in order of their
// paths, of a field inside of such a field the outer one. A field behind a gate stays while the old
// object has it. The release may be any of package api. It is what the rules do not look at, so a
// refusal may follow from it.
func DroppedFields(r Request) ([]Dropped, error) {
	header, err := conversion.ReadHeader(r.Object)
	if err != nil {
		return nil, err
	}
	judge := defaultOf(header.Version)
	if r.Release != "" {
		judge = releaseOf(r.Release)
	}
	var used gated // by the old object
	err = eachGated(r.OldObject, header.Kind, "", func(_ string, f *gatedField) bool {
		used |= f.bit
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	part := r.Operation.part()
	closed := closed(judge, part == "spec", used)
	var dropped []Dropped
	err = eachGated(r.Object, header.Kind, part, func(path string, f *gatedField) (inside bool) {
		switch {
		case judge < f.since:
			dropped = append(dropped, Dropped{Field: path, Since: f.Since})
		case f.gone > 0 && judge >= f.gone:
			dropped = append(dropped, Dropped{Field: path, Gone: f.Gone})
		case f.bit&closed != 0:
			dropped = append(dropped, Dropped{Field: path})
		default:
			return true
		}
		return false
	})
	return dropped, err
}

// eachGated visits the fields of the table that an object has, of one part or of all, and those
// inside of one when it is told to. Nothing else of the object is decoded.
func eachGated(object []byte, kind, part string, visit func(path string, f *gatedField) (inside bool)) error {
	if len(object) == 0 {
		return nil
	}
	members, _, err := kjson.Members(object)
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
			path, value = "spec.spec", template["spec"]
		}
		walkGated(path, m.Name, value, visit)
	}
	return nil
}

// isUnset tells whether an API server reads a field with the value as one that is not set.
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

func walkGated(path, name string, value any, visit func(path string, f *gatedField) bool) {
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			walkGated(fmt.Sprintf("%s[%d]", path, i), name, item, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner, innerName := v[key], name+"."+key
			if key == "exactly" {
				innerName = name
			}
			if isUnset(key, inner) {
				continue
			}
			if f, is := gatedByPath[innerName]; is && !visit(path+"."+key, f) {
				continue
			}
			walkGated(path+"."+key, innerName, inner, visit)
		}
	}
}
