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
	n := w.old
	if w.isRewritten {
		n = nil
	}
	slot, order := -1, 0
	from := map[int]*node{} // by slot, the mapping out of which the pieces for it move
	// scattered are the slots with pieces from more than one place, or under other names: these are
	// put in the order that is wanted, and others stay in that of their author.
	scattered := map[int]bool{}
	for _, m := range w.entries {
		switch e := firstPiece(m, n); {
		case m.oldEntry != nil:
			slot, order = m.oldEntry.index, 0
		case e == nil:
			scattered[slot] = scattered[slot] || n == nil
		case w.kind == mapping:
			if order = e.begin; n != nil {
				slot = e.removedEntry.index
			}
			from[slot] = cmp.Or(from[slot], e.parent)
			scattered[slot] = scattered[slot] || m.piece == nil || m.key != e.key || from[slot] != e.parent
		}
		if m.slot, m.order = slot, order; m.piece == nil && !m.value.isUnchanged {
			s.arrange(m.value)
		}
	}
	slices.SortStableFunc(w.entries, func(a, b *entry) int {
		if a.slot != b.slot || scattered[a.slot] {
			return cmp.Compare(a.slot, b.slot)
		}
		return cmp.Compare(a.order, b.order)
	})
	s.joinNeighbors(n, w)
}

// firstOf the pieces that move into something new from entries of a value, or from within them; nil
// when there are none. Where no value is given, only what moves as a whole counts.
func firstPiece(m *entry, n *node) *entry {
	switch {
	case n == nil || m.piece != nil && m.piece.removedEntry.parent == n:
		return m.piece
	case m.piece != nil || m.oldEntry != nil:
		return nil
	}
	var first *entry
	for _, inner := range m.value.entries {
		if e := firstPiece(inner, n); e != nil && (first == nil || e.begin < first.begin) {
			first = e
		}
	}
	return first
}

// join pieces that stood one below the other and do so again: what is between them moves with the
// second. Those that come into a mapping that stays, out of one within it, take the blank lines
// above the first of them along.
func (s *source) joinNeighbors(n, w *node) {
	var before *entry
	for _, m := range w.entries {
		e := m.piece
		switch {
		case e == nil || e.parent == n || e.parent.isFlow:
			e = nil
		case before != nil && e.parent == before.parent && e.index == before.index+1:
			e.begin = before.end
		case n != nil && e.index == 0 && !e.isAfterDash && e != e.removedEntry:
			below := s.lines.nextLineBegin(e.parent.owner.keyEnd)
			if below < e.begin && strings.TrimSpace(s.text[below:e.begin]) == "" {
				e.begin = below
			}
		}
		if before = e; m.piece == nil {
			continue
		}
		comments := s.commentsIn(m.piece.begin, m.piece.end)
		for i := range comments {
			comments[i].isMoved = true
		}
	}
}
