package main

import (
	"fmt"
	"go/types"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

func (g *generator) reader(t *types.Named) {
	if g.isCodec() {
		g.printf("// %s reads one.", g.function("read", t))
	}
	g.printf("func %s(r *kjson.Reader, v *%s) {\nvar seen uint32", g.function("read", t), g.typeText(t))
	g.printf("for more := r.First(); more; more = r.Next() {\nswitch r.Name() {")
	for i, f := range fieldsOf(t.Underlying().(*types.Struct)) {
		g.printf("case %q:\nr.Once(&seen, 1<<%d)", f.name, i)
		g.readValue("v."+f.path, f.typ, limitOf(t, f.typ))
	}
	g.printf("default:\nr.Fail()\n}\n}\n}\n")
}

// readValue writes the statement that reads a value into a variable that is zero.
func (g *generator) readValue(v string, t types.Type, limit string) {
	if s, ok := t.Underlying().(*types.Struct); ok && !isRaw(t) && !isScalar(t) && s.NumFields() > 0 {
		g.printf("%s(r, &%s)", g.function("read", t), v)
		return
	}
	if qualified(t) == "runtime.RawExtension" {
		v += ".Raw"
	}
	g.printf("%s = %s", v, g.read(t, limit))
}

// read is the expression that reads a value; null is zero.
func (g *generator) read(t types.Type, limit string) string {
	switch qualified(t) {
	case "runtime.RawExtension":
		return "r.Raw()"
	case "jsontext.Value":
		return "r.RawOrNull()"
	}
	if method := scalars[qualified(t)]; method != "" {
		return "r." + method + "()"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return g.readBasic(t)
	case *types.Pointer:
		if isStruct(elem(u)) {
			if isRaw(elem(u)) {
				return "kjson.ReadExtension(r)"
			}
			return fmt.Sprintf("kjson.ReadOne(r, %s, %s)", g.slabOf(elem(u)), g.function("read", elem(u)))
		}
		return fmt.Sprintf("kjson.ReadNew(r, func() %s { return %s })", g.typeText(elem(u)), g.read(elem(u), limit))
	case *types.Slice:
		if isStruct(elem(u)) {
			return fmt.Sprintf("kjson.ReadList(r, %s, %s, %s)", limit, g.slabOf(elem(u)), g.function("read", elem(u)))
		}
		if qualified(elem(u)) == "string" {
			return fmt.Sprintf("r.Texts(%s)", limit)
		}
		return fmt.Sprintf("kjson.ReadSlice(r, %s, func() %s { return %s })", limit, g.typeText(elem(u)), g.read(elem(u), limit))
	case *types.Map:
		return fmt.Sprintf("kjson.ReadMap[%s](r, func() %s { return %s })", g.typeText(u.Key()), g.typeText(elem(u)), g.read(elem(u), limit))
	}
	return unknown(t)
}

// limitOf is the limit of a list that a struct holds.
func limitOf(owner *types.Named, t types.Type) string {
	if list, ok := t.Underlying().(*types.Slice); ok && !kjson.Limited(owner.Obj().Pkg().Path(), qualified(list.Elem())) {
		return "kjson.NoLimit"
	}
	return "kjson.MaxList"
}

func (g *generator) readBasic(t types.Type) string {
	method, plain := methodOf(t)
	if text := g.typeText(t); text != plain {
		return fmt.Sprintf("%s(r.%s())", text, method)
	}
	return fmt.Sprintf("r.%s()", method)
}
