package main

import (
	"go/types"
	"slices"
	"strings"
)

// set of types: those that were asked for, and all structs that they hold whose functions are in this package.
type set struct{ asked, structs []*types.Named }

func (s *set) add(g *generator, list string) error {
	for _, name := range split(list) {
		t, err := g.types.find(name)
		if err != nil {
			return err
		}
		s.asked = append(s.asked, t)
		s.collect(g, t)
	}
	return nil
}

// collect a struct type and those that it holds, each once, in the order of their names.
func (s *set) collect(g *generator, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		s.collect(g, t.Elem())
	case *types.Slice:
		s.collect(g, t.Elem())
	case *types.Map:
		s.collect(g, t.Elem())
	case *types.Named:
		fields, ok := t.Underlying().(*types.Struct)
		if !ok {
			s.collect(g, t.Underlying())
			return
		}
		if isRaw(t) || isScalar(t) || !g.isHere(t) || slices.ContainsFunc(s.structs, func(other *types.Named) bool { return types.Identical(other, t) }) {
			return
		}
		s.structs = append(s.structs, t)
		slices.SortFunc(s.structs, func(a, b *types.Named) int { return strings.Compare(nameOf(a), nameOf(b)) })
		for _, f := range fieldsOf(fields) {
			s.collect(g, f.typ)
		}
	}
}
