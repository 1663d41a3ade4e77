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
	case *types.Slice, *types.Map:
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
	if method := scalars[qualified(t)]; method != "" {
		return fmt.Sprintf("w.%s(%s)", method, v)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return "w." + writeBasic(v, t)
	case *types.Struct:
		return fmt.Sprintf("%s(w, &%s)", w.g.function(w.kind, t), v)
	case *types.Pointer:
		if isRaw(elem(u)) {
			return w.write(v, elem(u))
		}
		if isStruct(elem(u)) {
			return fmt.Sprintf("%s(w, %s)", w.g.function(w.kind, elem(u)), v)
		}
		return w.write("*"+v, elem(u))
	case *types.Slice:
		if isStruct(elem(u)) {
			return fmt.Sprintf("kjson.WriteList(w, %s, %s)", v, w.g.function(w.kind, elem(u)))
		}
		if qualified(elem(u)) == "string" {
			return fmt.Sprintf("w.Texts(%s)", v)
		}
		return fmt.Sprintf("kjson.WriteSlice(w, %s, func(item %s) { %s })", v, w.g.typeText(elem(u)), w.write("item", elem(u)))
	case *types.Map:
		return fmt.Sprintf("kjson.WriteMap(w, %s, func(item %s) { %s })", v, w.g.typeText(elem(u)), w.write("item", elem(u)))
	}
	return unknown(t)
}

func writeBasic(v string, t types.Type) string {
	method, plain := methodOf(t)
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
