package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// writer writes members in the order of their fields.
func (g *generator) writer(t *types.Named) {
	g.members("write", "raw", t, fieldsOf(t.Underlying().(*types.Struct)))
}

// canonical writes members in the order of their names.
func (g *generator) canonical(t *types.Named) {
	fields := fieldsOf(t.Underlying().(*types.Struct))
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	g.members("canonical", "canonicalRaw", t, fields)
}

// members writes a function that writes them. Structs in them are written by functions of the same kind, and JSON as it is
// by a method.
func (g *generator) members(kind, raw string, t *types.Named, fields []field) {
	w := valueWriter{kind, raw}
	g.printf("func (w *writer) %s%s(v *%s) {\nw.begin('{')", kind, nameOf(t), typeText(t))
	for _, f := range fields {
		there := isThere("v."+f.path, f)
		if there != "" {
			g.printf("if %s {", there)
		}
		g.printf("w.name(`%q:`)", f.name)
		g.printf("%s", w.write("v."+f.path, f.typ))
		g.printf("w.comma()")
		if there != "" {
			g.printf("}")
		}
	}
	g.printf("w.end('}')\n}\n")
}

// isThere is the condition under which a member is written; none when it always is.
func isThere(v string, f field) string {
	switch u := f.typ.Underlying().(type) {
	case *types.Basic:
		if f.omit == "" {
			return ""
		}
		return map[bool]string{true: v, false: v + " != " + map[bool]string{true: `""`, false: "0"}[basic(f.typ) == types.String]}[basic(f.typ) == types.Bool]
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
		return fmt.Sprintf("!zero%s(&%s)", nameOf(f.typ), v)
	default:
		return unknown(u)
	}
}

// valueWriter gives statements that write values.
type valueWriter struct{ kind, raw string }

func (w valueWriter) write(v string, t types.Type) string {
	if isRaw(t) {
		return fmt.Sprintf("w.%s(%s)", w.raw, rawBytes(t, v))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return "w." + writeBasic(v, t)
	case *types.Struct:
		return fmt.Sprintf("w.%s%s(&%s)", w.kind, nameOf(t), v)
	case *types.Pointer:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("w.%s%s(%s)", w.kind, nameOf(u.Elem()), v)
		}
		return w.write("*"+v, u.Elem())
	case *types.Slice:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("writeList(w, %s, (*writer).%s%s)", v, w.kind, nameOf(u.Elem()))
		}
		if basic(u.Elem()) == types.String {
			return fmt.Sprintf("w.texts(%s)", v)
		}
		return fmt.Sprintf("writeSlice(w, %s, func(item %s) { %s })", v, typeText(u.Elem()), w.write("item", u.Elem()))
	}
	return unknown(t)
}

func writeBasic(v string, t types.Type) string {
	method, plain := "", ""
	switch basic(t) {
	case types.String:
		method, plain = "text", "string"
	case types.Bool:
		method, plain = "bool", "bool"
	case types.Int, types.Int64:
		method, plain = "int", "int64"
	default:
		unknown(t)
	}
	if typeText(t) != plain {
		v = plain + "(" + v + ")"
	}
	return method + "(" + v + ")"
}

// zero tells whether a struct that is left out when it is zero is that.
func (g *generator) zero(t *types.Named) {
	used := false
	for _, other := range g.roots.structs {
		for _, f := range fieldsOf(other.Underlying().(*types.Struct)) {
			used = used || f.omit == "omitzero" && types.Identical(f.typ, t)
		}
	}
	if !used {
		return
	}
	var zeros []string
	for _, f := range fieldsOf(t.Underlying().(*types.Struct)) {
		switch f.typ.Underlying().(type) {
		case *types.Pointer, *types.Slice:
			zeros = append(zeros, "v."+f.path+" == nil")
		default:
			unknown(f.typ)
		}
	}
	g.printf("func zero%s(v *%s) bool {\nreturn %s\n}\n", nameOf(t), typeText(t), strings.Join(zeros, " && "))
}

// equal compares as the API server does: absent and empty lists are the same, and so are two spellings of a raw value.
func (g *generator) equal(t *types.Named) {
	var same []string
	for _, f := range fieldsOf(t.Underlying().(*types.Struct)) {
		same = append(same, equalValue("a."+f.path, "b."+f.path, f.typ))
	}
	g.printf("func (r *room) equal%s(a, b *%s) bool {\nreturn %s\n}\n", nameOf(t), typeText(t), strings.Join(same, " &&\n"))
}

func equalValue(a, b string, t types.Type) string {
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
		return fmt.Sprintf("slices.Equal(%s, %s)", a, b)
	}
	return unknown(t)
}
