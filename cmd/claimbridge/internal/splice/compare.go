package splice

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// maxChanged is how deep something may be nested that changes. The deepest field of a claim in a list that a conversion changes is
// ten levels down.
const maxChanged = 100

// compare says of every value that is wanted what is done about it.
func compare(src *source, root *node) error {
	c := comparer{source: src}
	if err := c.value(src.root, root, 0); err != nil {
		return err
	}
	l := index(c.gone)
	for _, n := range c.news {
		l.give(n.wanted, n.inside)
	}
	for _, n := range c.news {
		if n.wanted.moved == nil {
			join(n.wanted.value)
		}
	}
	for _, p := range c.partly {
		src.joinInto(p[0], p[1])
	}
	src.kept = !c.words && !slices.ContainsFunc(c.gone, (*entry).loses)
	slices.SortFunc(l.moved, func(a, b *entry) int { return cmp.Compare(a.begin, b.begin) })
	src.moved = l.moved
	return nil
}

type comparer struct {
	*source
	gone []*entry
	news []newMember
	// words are said in another way in their place.
	words bool
	// partly are mappings that stay, as they are and are wanted, with new members.
	partly [][2]*node
}

// newMember is wanted where nothing is, inside of a value that stays.
type newMember struct {
	wanted *entry
	inside *node
}

// value compares what is there with what is wanted in its place.
func (c *comparer) value(n, w *node, depth int) error {
	switch {
	case n.hash == w.hash && n.target().kind == w.kind:
		w.same = true
		return nil
	case n.kind == alias:
		return &NotInPlaceError{Reason: "an alias stands for something that has to change here", Line: n.line}
	case depth > maxChanged:
		return &NotInPlaceError{Reason: fmt.Sprintf("what has to change is nested more than %d deep", maxChanged), Line: n.line}
	case n.closed != "":
		return &NotInPlaceError{Reason: n.closed, Line: n.line}
	case n.kind == scalar && w.kind == scalar:
		c.words = c.words || !n.version
		w.anew = (n.parent == nil || !n.parent.flow) && (n.quote == '|' || manifest.SuitsLiteral(w.text))
		return nil
	case n.kind != w.kind || len(n.entries) == 0 || len(w.entries) == 0:
		w.anew = true
		c.words = c.words || n.kind == scalar
		for _, e := range n.entries {
			c.takeOut(e)
		}
		for _, m := range w.entries {
			c.news = append(c.news, newMember{m, n})
		}
		return nil
	case n.kind == sequence:
		return c.sequence(n, w, depth)
	}
	return c.mapping(n, w, depth)
}

// loses reports whether an entry that is gone says something that did not move.
func (e *entry) loses() bool {
	return !e.whole && (len(e.value.entries) == 0 || slices.ContainsFunc(e.value.entries, (*entry).loses))
}

func (c *comparer) takeOut(e *entry) {
	e.gone = true
	c.gone = append(c.gone, e)
}

func (c *comparer) mapping(n, w *node, depth int) error {
	here := make(map[string]*entry, len(n.entries))
	for _, e := range n.entries {
		if !e.merge {
			here[e.key] = e
		}
	}
	news := len(c.news)
	brought := map[string]*entry{}
	for _, e := range n.entries {
		for _, m := range e.effective {
			if here[m.key] == nil && brought[m.key] == nil {
				brought[m.key] = m
			}
		}
	}
	for _, m := range w.entries {
		e := here[m.key]
		if e == nil {
			b := brought[m.key]
			switch {
			case b == nil:
				c.news = append(c.news, newMember{m, n})
			case b.value.hash != m.value.hash:
				return &NotInPlaceError{Reason: fmt.Sprintf("a merge key brings in %.100s, which has to change here", m.key), Line: n.line}
			default:
				m.merged = true
				delete(brought, m.key)
			}
			continue
		}
		delete(here, m.key)
		m.kept, e.silent = e, false
		e.value.version = m.key == "apiVersion"
		if err := c.value(e.value, m.value, depth+1); err != nil {
			return err
		}
	}
	if len(c.news) > news {
		c.partly = append(c.partly, [2]*node{n, w})
	}
	for _, e := range n.entries { // in their order
		if here[e.key] == e && !e.silent {
			c.takeOut(e)
		}
	}
	for _, e := range n.entries {
		for _, m := range e.effective {
			if brought[m.key] == m {
				return &NotInPlaceError{Reason: fmt.Sprintf("a merge key brings in %.100s, which has to go here", m.key), Line: n.line}
			}
		}
	}
	return nil
}

// sequence pairs items: those that are equal, and between them those of the same name, and then by their places. The pairs are in
// the same order on both sides.
func (c *comparer) sequence(n, w *node, depth int) error {
	places := map[uint64][]int{}
	for i, e := range n.entries {
		places[e.value.hash] = append(places[e.value.hash], i)
	}
	from, at := 0, 0 // the first that are not paired yet
	for i, m := range w.entries {
		list := places[m.value.hash]
		for len(list) > 0 && list[0] < at {
			list = list[1:]
		}
		places[m.value.hash] = list
		if len(list) == 0 {
			continue
		}
		if err := c.between(n.entries[at:list[0]], w.entries[from:i], n, depth); err != nil {
			return err
		}
		m.kept, m.value.same = n.entries[list[0]], true
		from, at = i+1, list[0]+1
	}
	return c.between(n.entries[at:], w.entries[from:], n, depth)
}

// between pairs items of which none are equal.
func (c *comparer) between(entries, members []*entry, n *node, depth int) error {
	names := map[uint64]int{}
	for i, e := range entries {
		if h, named := nameOf(e.value); named {
			names[h] = i
		}
	}
	next := 0
	pair := make([]int, len(members))
	for i, m := range members {
		pair[i] = -1
		if h, named := nameOf(m.value); named {
			if at, is := names[h]; is && at >= next {
				pair[i], next = at, at+1
			}
		}
	}
	// Those without a name of the other side are paired one by one.
	limits := make([]int, len(members)) // items before these are free
	for i, limit := len(members)-1, len(entries); i >= 0; i-- {
		if pair[i] >= 0 {
			limit = pair[i]
		}
		limits[i] = limit
	}
	next = 0
	for i, m := range members {
		if pair[i] >= 0 {
			for ; next < pair[i]; next++ {
				c.takeOut(entries[next])
			}
			next = pair[i] + 1
		} else if next < limits[i] && entries[next].value.kind == m.value.kind && !otherName(entries[next].value, m.value) {
			pair[i] = next
			next++
		}
		if pair[i] < 0 {
			c.news = append(c.news, newMember{m, n})
			continue
		}
		m.kept = entries[pair[i]]
		if err := c.value(m.kept.value, m.value, depth+1); err != nil {
			return err
		}
	}
	for ; next < len(entries); next++ {
		c.takeOut(entries[next])
	}
	return nil
}

// otherName reports whether two items have names, and not the same.
func otherName(n, w *node) bool {
	a, named := nameOf(n)
	b, alike := nameOf(w)
	return named && alike && a != b
}

// nameOf an item that is a mapping with a name.
func nameOf(n *node) (hash uint64, named bool) {
	for _, e := range n.entries {
		if e.key == "name" && e.value.kind == scalar {
			return e.value.hash, true
		}
	}
	return 0, false
}
