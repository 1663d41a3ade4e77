package main

import (
	"go/types"
	"slices"
	"strings"
)

// set of types: those that were asked for, and all structs that they hold.
type set struct{ asked, structs []*types.Named }

func (s *set) load(load func(path, name string) (*types.Named, error), list []typesOf) error {
	for _, in := range list {
		for _, name := range in.names {
			t, err := load(in.path, name)
			if err != nil {
				return err
			}
			s.asked = append(s.asked, t)
			collect(&s.structs, t)
		}
	}
	return nil
}

// collect a struct type and those that it holds, each once, in the order of their names.
func collect(into *[]*types.Named, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		collect(into, t.Elem())
	case *types.Slice:
		collect(into, t.Elem())
	case *types.Named:
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			collect(into, t.Underlying())
			return
		}
		if isRaw(t) || slices.ContainsFunc(*into, func(other *types.Named) bool { return types.Identical(other, t) }) {
			return
		}
		*into = append(*into, t)
		slices.SortFunc(*into, func(a, b *types.Named) int { return strings.Compare(nameOf(a), nameOf(b)) })
		for _, f := range fieldsOf(s) {
			collect(into, f.typ)
		}
	}
}
