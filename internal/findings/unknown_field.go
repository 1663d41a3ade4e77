package findings

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/suggest"
)

// WrongField returns what is wrong with a field that strict decoding rejects, and the end of a message that says what
// to do about it. The remedy is empty if the description includes it.
func WrongField(h conversion.Header, path string) (rule Rule, what, remedy string) {
	name, known := siblingFields(h, path)
	if slices.Contains(known, name) {
		return DuplicateField, "is duplicated", "; remove one of them, or use --validate=false, which keeps the last value"
	}
	var others []string
	for _, version := range conversion.Versions() {
		other := h
		other.Version = version
		if name, known := siblingFields(other, path); slices.Contains(known, name) {
			others = append(others, version)
		}
	}
	if expected := inExactly(h.Version, path); len(others) > 0 && expected != "" {
		what = fmt.Sprintf("is a field of %s; %s has it in %s: is the apiVersion right?",
			inWords(others), h.Version, expected)
		return FieldOfAnotherVersion, what, ""
	}
	if len(others) > 0 {
		what = fmt.Sprintf("is a field of %s, which %s does not have: is the apiVersion right?",
			inWords(others), h.Version)
		return FieldOfAnotherVersion, what, ""
	}
	if expected := expectedPath(h, path); expected != "" {
		what = "unknown field, " + describeExpectedPath(h, path, expected)
		return UnknownField, what, "; move it there"
	}
	// Names have 4 to 25 letters. Two typing errors do not turn one name into another.
	if near := suggest.Names(name, known, min(2, len(name)/3)); len(near) > 0 {
		what = "unknown field, did you mean " + strings.Join(near, " or ") + "?"
		return UnknownField, what, " Correct it"
	}
	return UnknownField, "unknown field", "; remove it"
}

var requestField = regexp.MustCompile(`^((?:spec\.)?spec\.devices\.requests\[\d+\])\.(\w+)$`)

// inExactly returns the path of a field of a request that is in `exactly` in a version, or "".
func inExactly(version, path string) string {
	match := requestField.FindStringSubmatch(path)
	if match == nil || !api.HasExactly(version) {
		return ""
	}
	if field, isKnown := api.FindRequestField(match[2]); !isKnown || !field.InExactly {
		return ""
	}
	return strings.Join(append(match[1:2], api.RequestFieldPath(version, match[2])...), ".")
}

// describeExpectedPath says that an unknown field belongs at the expected path.
func describeExpectedPath(h conversion.Header, path, expected string) string {
	switch {
	case h.Kind == api.KindClaim && path == "spec.spec":
		return "a ResourceClaim has no spec.spec: move its fields to spec, or use kind ResourceClaimTemplate"
	case h.Kind == api.KindTemplate && strings.HasPrefix(expected, "spec.spec."):
		return "a template has it in " + expected
	}
	return "it belongs in " + expected
}

// inWords returns a list of versions as text, like "v1beta2 and v1". The oldest version is first.
func inWords(list []string) string {
	all := conversion.Versions()
	if newest := all[len(all)-len(list):]; len(list) > 2 && slices.Equal(list, newest) {
		return list[0] + " and later"
	}
	if len(list) > 1 {
		return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
	}
	return list[0]
}

var indices = regexp.MustCompile(`\[\d+\]`)

// siblingFields returns the last name of a path, and the fields of the object that contains it. The rest of the path
// after the first unknown name is one name, because names may have dots.
func siblingFields(h conversion.Header, path string) (name string, known []string) {
	at := reflect.TypeOf(api.New(h.Version, h.Kind))
	path = indices.ReplaceAllString(path, "")
	for at != nil {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice {
			at = at.Elem()
		}
		if at.Kind() == reflect.Map {
			return path, []string{path} // a map may have any key, once
		}
		if at.Kind() != reflect.Struct {
			return path, nil
		}
		types := map[string]reflect.Type{}
		known = fieldsOf(at, types)
		name, rest, hasRest := strings.Cut(path, ".")
		if !hasRest || types[name] == nil {
			break
		}
		at = types[name]
		path = rest
	}
	return path, known
}

// fieldsOf returns the JSON names of the fields of a struct, and adds their types to a map.
func fieldsOf(at reflect.Type, types map[string]reflect.Type) (names []string) {
	for field := range at.Fields() {
		switch name, _, _ := strings.Cut(field.Tag.Get("json"), ","); {
		case field.Anonymous && name == "":
			names = append(names, fieldsOf(field.Type, types)...)
		case name != "" && name != "-":
			names = append(names, name)
			types[name] = field.Type
		}
	}
	return names
}
