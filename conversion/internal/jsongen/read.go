package main

import (
	"fmt"
	"go/types"
	"strings"
)

func (g *generator) reader(t *types.Named) {
	g.printf("func (r *reader) read%s(v *%s) {\nvar seen uint32", nameOf(t), typeText(t))
	g.printf("for more := r.firstMember(); more; more = r.nextMember() {\nswitch r.name {")
	for i, f := range fieldsOf(t.Underlying().(*types.Struct)) {
		g.printf("case %q:\nr.once(&seen, 1<<%d)", f.name, i)
		g.readValue("v."+f.path, f.typ, limitOf(t, f.typ))
	}
	g.printf("default:\nr.Fail()\n}\n}\n}\n")
}

// readValue writes the statement that reads a value into a variable that is zero.
func (g *generator) readValue(v string, t types.Type, limit string) {
	if s, ok := t.Underlying().(*types.Struct); ok && !isRaw(t) && s.NumFields() > 0 {
		g.printf("r.read%s(&%s)", nameOf(t), v)
		return
	}
	if typeText(t) == "runtime.RawExtension" {
		v += ".Raw"
	}
	g.printf("%s = %s", v, g.read(t, limit))
}

// read is the expression that reads a value; null is zero.
func (g *generator) read(t types.Type, limit string) string {
	switch typeText(t) {
	case "runtime.RawExtension":
		return "r.raw()"
	case "jsontext.Value":
		return "r.rawOrNull()"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return readBasic(t)
	case *types.Pointer:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("readOne(r, &r.room.%s, (*reader).read%s)", slabOf(u.Elem()), nameOf(u.Elem()))
		}
		return fmt.Sprintf("readNew(r, func() %s { return %s })", typeText(u.Elem()), g.read(u.Elem(), limit))
	case *types.Slice:
		if isStruct(u.Elem()) {
			return fmt.Sprintf("readList(r, %s, &r.room.%s, (*reader).read%s)", limit, slabOf(u.Elem()), nameOf(u.Elem()))
		}
		if basic(u.Elem()) == types.String {
			return fmt.Sprintf("r.texts(%s)", limit)
		}
		return fmt.Sprintf("readSlice(r, %s, func() %s { return %s })", limit, typeText(u.Elem()), g.read(u.Elem(), limit))
	}
	return unknown(t)
}

// limitOf is the limit of a list that a struct holds: none for lists of Kubernetes' own types, and for the one list of the
// API of claims that has none, the results of a handle.
func limitOf(owner *types.Named, t types.Type) string {
	list, ok := t.Underlying().(*types.Slice)
	if ok && (strings.HasPrefix(owner.Obj().Pkg().Path(), "k8s.io/") || typeText(list.Elem()) == "v1alpha2.DriverAllocationResult") {
		return "unlimitedList"
	}
	return "maxList"
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

func readBasic(t types.Type) string {
	read, plain := "", ""
	switch basic(t) {
	case types.String:
		read, plain = "r.text()", "string"
	case types.Bool:
		read, plain = "r.bool()", "bool"
	case types.Int, types.Int64:
		read, plain = "r.int()", "int64"
	default:
		unknown(t)
	}
	if text := typeText(t); text != plain {
		return fmt.Sprintf("%s(%s)", text, read)
	}
	return read
}
