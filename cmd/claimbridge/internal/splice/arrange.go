package splice

import (
	"bytes"
	"cmp"
	"slices"
)

// arrange puts what is wanted of a collection into the order of the result. What was there before keeps its order: an entry that is new
// stands where the first text stood that moved into it, and otherwise behind the one that it is wanted behind. The order of items is that
// which is wanted. Merge keys, and what says nothing, are there as well. n is nil for a value that is written anew, as all in it is.
func (s *source) arrange(n, w *node) {
	if w.anew {
		n = nil
	}
	w.entries = slices.DeleteFunc(w.entries, func(m *entry) bool { return m.merged })
	for _, m := range w.entries {
		switch {
		case m.moved != nil || m.value.same:
		case m.kept != nil:
			s.arrange(m.kept.value, m.value)
		default:
			s.arrange(nil, m.value)
		}
	}
	if n == nil {
		if fromOnePlace(w) {
			slices.SortFunc(w.entries, func(a, b *entry) int { return cmp.Compare(a.moved.begin, b.moved.begin) })
		}
		s.join(n, w)
		return
	}
	slot, order := -1, 0
	scattered := scatteredRoots(n, w)
	for i, m := range w.entries {
		switch e := firstOf(m, n); {
		case m.kept != nil:
			slot, order = m.kept.index, 0
		case e == nil || w.kind == sequence:
		case scattered[e.root]:
			slot, order = e.root.index, i
		default:
			slot, order = e.root.index, e.begin
		}
		m.slot, m.order = slot, order
	}
	for _, e := range n.entries {
		if e.merge || e.silent {
			w.entries = append(w.entries, &entry{kept: e, slot: e.index, value: &node{same: true}})
		}
	}
	slices.SortStableFunc(w.entries, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.order, b.order))
	})
	s.join(n, w)
}

// fromOnePlace reports whether all of a mapping is moved, from one other and as it is named there. Then its order is that of its
// author.
func fromOnePlace(w *node) bool {
	return w.kind == mapping && !slices.ContainsFunc(w.entries, func(m *entry) bool {
		return m.moved == nil || m.moved.in != w.entries[0].moved.in || m.moved.key != m.key
	})
}

// scatteredRoots are the entries of a value from which pieces go to more than one place, or under other names: these are put in the
// order that is wanted, and others stay in that of their author.
func scatteredRoots(n, w *node) map[*entry]bool {
	scattered, from := map[*entry]bool{}, map[*entry]*node{}
	for _, m := range w.entries {
		e := firstOf(m, n)
		if e == nil || m.kept != nil {
			continue
		}
		if in, others := from[e.root]; m.moved == nil || m.key != e.key || others && in != e.in {
			scattered[e.root] = true
		}
		from[e.root] = e.in
	}
	return scattered
}

// firstOf the pieces that move into something new from entries of a value, or from within them; nil when there are none.
func firstOf(m *entry, n *node) *entry {
	switch {
	case n == nil || !m.moves:
		return nil
	case m.moved != nil && m.moved.root.in == n:
		return m.moved
	case m.moved != nil:
		return nil
	}
	var first *entry
	for _, inner := range m.value.entries {
		if e := firstOf(inner, n); e != nil && (first == nil || e.begin < first.begin) {
			first = e
		}
	}
	return first
}

// join pieces that stood one below the other and do so again: what is between them moves with the second. Those that come into a mapping
// that stays, out of one within it, take the blank lines above the first of them along.
func (s *source) join(n, w *node) {
	var before *entry
	for _, m := range w.entries {
		e := m.moved
		switch {
		case e == nil || e.in == n || e.in.flow:
			e = nil
		case before != nil && e.in == before.in && e.index == before.index+1:
			e.begin = before.end
		case n != nil && e.index == 0 && !e.behindDash && e != e.root:
			if below := s.lines.after(e.in.of.keyEnd); below < e.begin && len(bytes.TrimSpace(s.text[below:e.begin])) == 0 {
				e.begin = below
			}
		}
		before = e
	}
}
