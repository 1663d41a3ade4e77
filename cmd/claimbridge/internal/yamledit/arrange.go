package yamledit

import (
	"cmp"
	"slices"
	"strings"
)

// arrange puts what is wanted of a collection into the order of the result. What was there before
// keeps its order: an entry that is new stands where the first text stood that moved into it, and
// otherwise behind the one that it is wanted behind. The order of items is that which is wanted.
func (s *source) arrange(w *node) {
	n := w.was
	if w.isRewritten {
		n = nil
	}
	slot, order := -1, 0
	from := map[int]*node{} // by slot, the mapping out of which the pieces for it move
	// scattered are the slots with pieces from more than one place, or under other names: these are
	// put in the order that is wanted, and others stay in that of their author.
	scattered := map[int]bool{}
	for _, m := range w.entries {
		switch e := firstOf(m, n); {
		case m.kept != nil:
			slot, order = m.kept.index, 0
		case e == nil:
			scattered[slot] = scattered[slot] || n == nil
		case w.kind == mapping:
			if order = e.begin; n != nil {
				slot = e.root.index
			}
			from[slot] = cmp.Or(from[slot], e.in)
			scattered[slot] = scattered[slot] || m.moved == nil || m.key != e.key || from[slot] != e.in
		}
		if m.slot, m.order = slot, order; m.moved == nil && !m.value.same {
			s.arrange(m.value)
		}
	}
	slices.SortStableFunc(w.entries, func(a, b *entry) int {
		if a.slot != b.slot || scattered[a.slot] {
			return cmp.Compare(a.slot, b.slot)
		}
		return cmp.Compare(a.order, b.order)
	})
	s.join(n, w)
}

// firstOf the pieces that move into something new from entries of a value, or from within them; nil
// when there are none. Where no value is given, only what moves as a whole counts.
func firstOf(m *entry, n *node) *entry {
	switch {
	case n == nil || m.moved != nil && m.moved.root.in == n:
		return m.moved
	case m.moved != nil || m.kept != nil:
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

// join pieces that stood one below the other and do so again: what is between them moves with the
// second. Those that come into a mapping that stays, out of one within it, take the blank lines
// above the first of them along.
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
			below := s.lines.after(e.in.of.keyEnd)
			if below < e.begin && strings.TrimSpace(s.text[below:e.begin]) == "" {
				e.begin = below
			}
		}
		if before = e; m.moved == nil {
			continue
		}
		comments := s.commentsIn(m.moved.begin, m.moved.end)
		for i := range comments {
			comments[i].moved = true
		}
	}
}
