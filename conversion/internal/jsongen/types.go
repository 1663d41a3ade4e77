package main

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unicode"
)

// field of a struct as JSON has it; those of embedded structs are the struct's own.
type field struct {
	path string // in Go
	name string // in JSON
	typ  types.Type
	omit string // omitempty, omitzero or ""
}

func fieldsOf(s *types.Struct) (fields []field) {
	for i := range s.NumFields() {
		f := s.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if f.Embedded() && name == "" {
			for _, inner := range fieldsOf(f.Type().Underlying().(*types.Struct)) {
				inner.path = f.Name() + "." + inner.path
				fields = append(fields, inner)
			}
			continue
		}
		omit := ""
		for option := range strings.SplitSeq(options, ",") {
			if option == "omitempty" || option == "omitzero" {
				omit = option
			}
		}
		if name == "nodeSelectorTerms" { // upstream's type would write null, which its schema does not allow
			omit = "omitempty"
		}
		fields = append(fields, field{f.Name(), name, f.Type(), omit})
	}
	return fields
}

// isRaw tells a type that holds JSON as it is.
func isRaw(t types.Type) bool {
	switch typeText(t) {
	case "runtime.RawExtension", "jsontext.Value":
		return true
	}
	return false
}

// rawBytes is the expression for the bytes of such a value.
func rawBytes(t types.Type, value string) string {
	if typeText(t) == "runtime.RawExtension" {
		return value + ".Raw"
	}
	return value
}

// typeText is a type as the generated file writes it.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		switch p.Path() {
		case conversion:
			return ""
		case "k8s.io/api/core/v1":
			return "corev1"
		}
		return p.Name()
	})
}

// nameOf a type in the names of functions.
func nameOf(t types.Type) string {
	words := strings.FieldsFunc(typeText(t), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

func slabOf(t types.Type) string {
	name := nameOf(t)
	return strings.ToLower(name[:1]) + name[1:]
}

func basic(t types.Type) types.BasicKind {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

func unknown(t types.Type) string { panic(fmt.Sprintf("no JSON is known for %s", t)) }
