package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// writer writes members in the order of their fields.
func (g *generator) writer(t *types.Named) {
	g.members("write", "Raw", t, fieldsOf(t.Underlying().(*types.Struct)))
}

// canonicalWriter writes members in the order of their names.
func (g *generator) canonicalWriter(t *types.Named) {
	fields := fieldsOf(t.Underlying().(*types.Struct))
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	g.members("canonical", "CanonicalRaw", t, fields)
}

// members writes a function that writes them. Structs in them are written by functions of the same kind, and JSON as it is
// by a method.
func (g *generator) members(kind, raw string, t *types.Named, fields []field) {
	w := valueWriter{g, kind, raw}
	if g.isCodec() {
		g.printf("// %s writes one.", g.function(kind, t))
	}
	g.printf("func %s(w *kjson.Writer, v *%s) {\nw.Begin('{')", g.function(kind, t), g.typeText(t))
	for _, f := range fields {
		there := isThere("v."+f.path, f)
		if there != "" {
			g.printf("if %s {", there)
		}
		g.printf("w.Name(`%q:`)", f.name)
		g.printf("%s", w.write("v."+f.path, f.typ))
		g.printf("w.Comma()")
		if there != "" {
			g.printf("}")
		}
	}
	g.printf("w.End('}')\n}\n")
}

// isThere is the condition under which a member is written; none when it always is.
func isThere(v string, f field) string {
	switch u := f.typ.Underlying().(type) {
	case *types.Basic:
		if f.omit == "" {
			return ""
		}
		switch basic(f.typ) {
		case types.Bool:
			return v
		case types.String:
			return v + ` != ""`
		default:
			return v + " != 0"
		}
	case *types.Pointer:
		if f.omit == "" {
			return ""
		}
		return v + " != nil"
	case *types.Slice:
		switch f.omit {
		case "omitempty":
			return fmt.Sprintf("len(%s) > 0", v)
		case "omitzero":
			return v + " != nil"
		}
		return ""
	case *types.Struct:
		if f.omit != "omitzero" {
			return ""
		}
		if isRaw(f.typ) {
			return rawBytes(f.typ, v) + " != nil"
		}
		return isNotZero(v, u)
	default:
		return unknown(u)
	}
}

// valueWriter gives statements that write values.
type valueWriter struct {
	g         *generator
	kind, raw string
}

func (w valueWriter) write(v string, t types.Type) string {
	if isRaw(t) {
		return fmt.Sprintf("w.%s(%s)", w.raw, rawBytes(t, v))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return "w." + writeBasic(v, t)
	case *types.Struct:
		return fmt.Sprintf("%s(w, &%s)", w.g.function(w.kind, t), v)
	case *types.Pointer:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("%s(w, %s)", w.g.function(w.kind, u.Elem()), v)
		}
		return w.write("*"+v, u.Elem())
	case *types.Slice:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("kjson.WriteList(w, %s, %s)", v, w.g.function(w.kind, u.Elem()))
		}
		if basic(u.Elem()) == types.String {
			return fmt.Sprintf("w.Texts(%s)", v)
		}
		return fmt.Sprintf("kjson.WriteSlice(w, %s, func(item %s) { %s })", v, w.g.typeText(u.Elem()), w.write("item", u.Elem()))
	}
	return unknown(t)
}

func writeBasic(v string, t types.Type) string {
	method, plain := "", ""
	switch basic(t) {
	case types.String:
		method, plain = "Text", "string"
	case types.Bool:
		method, plain = "Bool", "bool"
	case types.Int, types.Int64:
		method, plain = "Int", "int64"
	default:
		unknown(t)
	}
	if qualified(t) != plain {
		v = plain + "(" + v + ")"
	}
	return method + "(" + v + ")"
}

// isNotZero is the condition for a struct that is left out when it is zero.
func isNotZero(v string, s *types.Struct) string {
	var some []string
	for _, f := range fieldsOf(s) {
		switch f.typ.Underlying().(type) {
		case *types.Pointer, *types.Slice:
			some = append(some, v+"."+f.path+" != nil")
		default:
			unknown(f.typ)
		}
	}
	return strings.Join(some, " || ")
}

// equal compares as the API server does: absent and empty lists are the same, and so are two spellings of a raw value.
func (g *generator) equal(t *types.Named) {
	var same []string
	for _, f := range fieldsOf(t.Underlying().(*types.Struct)) {
		same = append(same, g.equalValue("a."+f.path, "b."+f.path, f.typ))
	}
	g.printf("func (r *room) equal%s(a, b *%s) bool {\nreturn %s\n}\n", nameOf(t), g.typeText(t), strings.Join(same, " &&\n"))
}

func (g *generator) equalValue(a, b string, t types.Type) string {
	if isRaw(t) {
		return fmt.Sprintf("r.equalRaw(%s, %s)", rawBytes(t, a), rawBytes(t, b))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return a + " == " + b
	case *types.Struct:
		return fmt.Sprintf("r.equal%s(&%s, &%s)", nameOf(t), a, b)
	case *types.Pointer:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("equalPointers(%s, %s, r.equal%s)", a, b, nameOf(u.Elem()))
		}
		return fmt.Sprintf("equalValues(%s, %s)", a, b)
	case *types.Slice:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("equalLists(%s, %s, r.equal%s)", a, b, nameOf(u.Elem()))
		}
		g.imports["slices"] = "slices"
		return fmt.Sprintf("slices.Equal(%s, %s)", a, b)
	}
	return unknown(t)
}
