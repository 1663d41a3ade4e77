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
		fields = append(fields, field{f.Name(), name, types.Unalias(f.Type()), omit})
	}
	return fields
}

// isRaw recognises a type that holds JSON as it is.
func isRaw(t types.Type) bool {
	switch qualified(t) {
	case "runtime.RawExtension", "jsontext.Value":
		return true
	}
	return false
}

// rawBytes is the expression for the bytes of such a value.
func rawBytes(t types.Type, value string) string {
	if qualified(t) == "runtime.RawExtension" {
		return value + ".Raw"
	}
	return value
}

// packageName is that by which a package is imported; those of Kubernetes' own are not called v1.
func packageName(p *types.Package) string {
	switch p.Path() {
	case "k8s.io/api/core/v1":
		return "corev1"
	case "k8s.io/apimachinery/pkg/apis/meta/v1":
		return "metav1"
	}
	return p.Name()
}

// qualified is a type with the name of its package.
func qualified(t types.Type) string { return types.TypeString(types.Unalias(t), packageName) }

// elem is the type of what a pointer, a list or a map holds.
func elem(t interface{ Elem() types.Type }) types.Type { return types.Unalias(t.Elem()) }

// scalars are structs that are one value in JSON, with the method of Reader and Writer.
var scalars = map[string]string{"metav1.Time": "Time", "resource.Quantity": "Quantity"}

func isScalar(t types.Type) bool { return scalars[qualified(t)] != "" }

// isStruct tells the structs that are objects in JSON, or that hold it as it is.
func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok && !isScalar(t)
}

// nameOf a type in the names of functions; only those of the API have their package before it.
func nameOf(t types.Type) string {
	text := types.TypeString(types.Unalias(t), func(p *types.Package) string {
		if strings.HasPrefix(p.Path(), module+"/api/") || !strings.HasPrefix(p.Path(), module) {
			return packageName(p)
		}
		return ""
	})
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

func basic(t types.Type) types.BasicKind {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

// methodOf Reader and Writer for values of a basic type, and the type that it is for.
func methodOf(t types.Type) (method, plain string) {
	switch basic(t) {
	case types.String:
		return "Text", "string"
	case types.Bool:
		return "Bool", "bool"
	case types.Int, types.Int64:
		return "Int", "int64"
	}
	return unknown(t), ""
}

func unknown(t types.Type) string { panic(fmt.Sprintf("no JSON is known for %s", t)) }
