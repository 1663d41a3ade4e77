// Package variables handles manifests in which another program replaces variables before they are applied: Flux and
// envsubst write them as ${NAME} or ${NAME:=default}, kro writes expressions as ${...}, and Helm, Argo CD and Ansible
// write {{ ... }}, which is valid YAML within a string only.
//
// A check that needs the value of a variable is skipped, and all others are applied.
package variables

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/validation"
)

// Patterns of a variable in a JSON string. The text in braces may be an expression. The value of a dollar variable may
// have any type. Double braces are valid YAML within a string only, so their field must be a string.
var (
	dollarPattern   = regexp.MustCompile(`\$\{(?:[^{}"\\]|\\.)+\}`)
	variablePattern = regexp.MustCompile(dollarPattern.String() + `|\{\{(?:[^"\\]|\\.)+?\}\}`)
)

// mayHaveVariables reports whether an object has the beginning of a variable.
func mayHaveVariables(object []byte) bool {
	return bytes.Contains(object, []byte("${")) || bytes.Contains(object, []byte("{{"))
}

// placeholder replaces a variable. It is valid in names, in label values, and in strings of CEL.
const placeholder = "x"

// value is a string with a variable.
type value struct {
	path       string
	begin, end int // offsets in the object
}

// find returns the values of a JSON object that have variables, in the order of the object.
func find(object []byte) []value {
	if !mayHaveVariables(object) {
		return nil
	}
	f := finder{object: object, scan: objectjson.NewScanner(object)}
	f.visit("")
	return f.found
}

type finder struct {
	object []byte
	scan   objectjson.Scanner
	found  []value
}

func (f *finder) visit(path string) {
	begin := f.scan.Begin()
	switch {
	case f.scan.Failed() || begin >= len(f.object):
		f.scan.Skip()
	case f.object[begin] == '{':
		for name := range f.scan.Members() {
			f.visit(objectjson.JoinPath(path, strings.Clone(name)))
		}
	case f.object[begin] == '[':
		index := 0
		for range f.scan.Elements() {
			f.visit(objectjson.JoinPath(path, fmt.Sprintf("[%d]", index)))
			index++
		}
	default:
		f.scan.Skip()
		if end := f.scan.End(); f.object[begin] == '"' && variablePattern.Match(f.object[begin:end]) {
			f.found = append(f.found, value{path: path, begin: begin, end: end})
		}
	}
}

// Has reports whether a text has a variable.
func Has(text string) bool { return variablePattern.MatchString(text) }

// ReplaceText returns a text with a placeholder in the place of each variable.
func ReplaceText(text string) string { return variablePattern.ReplaceAllString(text, placeholder) }

// UnknownVersion is the message for a version with a variable.
func UnknownVersion(version string) string {
	return fmt.Sprintf("%.100s is a variable, so the object is neither converted nor validated; write the version, or "+
		"render the manifest first", version)
}

// Replace returns a JSON object with a placeholder in the place of each variable.
func Replace(object []byte) []byte {
	if !mayHaveVariables(object) {
		return object
	}
	return variablePattern.ReplaceAll(object, []byte(placeholder))
}

func splice(object []byte, v value, with []byte) []byte {
	return slices.Concat(object[:v.begin], with, object[v.end:])
}

// TypedValue is a variable in a field that is not a string, with its text as JSON.
type TypedValue struct {
	Path string
	Text []byte
}

// candidates are possible values of a variable: a number, a boolean, and a quantity.
var candidates = [][]byte{[]byte("2"), []byte("true"), []byte(`"2"`)}

// WithTypes returns the object with valid values in fields that are not strings and have a variable. Read reports the
// field that cannot be read, or an empty path.
func WithTypes(object []byte, read func(object []byte) (field string)) (readable []byte, typed []TypedValue) {
	for bytes.Contains(object, []byte("${")) {
		field := read(object)
		v, found := findAt(object, field)
		if !found {
			break
		}
		next := slices.IndexFunc(candidates, func(c []byte) bool { return read(splice(object, v, c)) != field })
		if next < 0 {
			break
		}
		typed = append(typed, TypedValue{Path: field, Text: bytes.Clone(object[v.begin:v.end])})
		object = splice(object, v, candidates[next])
	}
	return object, typed
}

// findAt returns the value at a path, if a variable in it may have any type.
func findAt(object []byte, path string) (v value, found bool) {
	values := find(object)
	i := slices.IndexFunc(values, func(v value) bool {
		return v.path == path && dollarPattern.Match(object[v.begin:v.end])
	})
	if path == "" || i < 0 {
		return v, false
	}
	return values[i], true
}

// WithoutErrorsOnVariables returns errs without those that depend on the value of a variable in the object, or on a
// typed value.
func WithoutErrorsOnVariables(errs []validation.Error, object []byte, typed ...TypedValue) []validation.Error {
	paths := map[string]bool{}
	for _, v := range find(object) {
		paths[withoutExactly(v.path)] = true
	}
	for _, t := range typed {
		paths[withoutExactly(t.Path)] = true
	}
	if len(paths) == 0 {
		return errs
	}
	names := false
	for path := range paths {
		names = names || requestName.MatchString(path)
	}
	return slices.DeleteFunc(slices.Clone(errs), func(e validation.Error) bool {
		return paths[withoutExactly(e.Field)] || names && requestReference.MatchString(e.Field)
	})
}

// withoutExactly returns the path of a field in versions up to v1beta1. Errors may name the path of a newer version.
func withoutExactly(path string) string { return strings.ReplaceAll(path, "].exactly.", "].") }

// requestName is the path of the name of a request, which constraints and configurations refer to.
var (
	requestName      = regexp.MustCompile(`\.requests\[\d+\](?:\.firstAvailable\[\d+\])?\.name$`)
	requestReference = regexp.MustCompile(`\.(?:constraints|config)\[\d+\]\.requests\[\d+\]$`)
)
