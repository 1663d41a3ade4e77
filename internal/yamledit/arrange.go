package yamledit

import (
	"cmp"
	"slices"
	"strings"
)

// arrange sorts the entries of a desired collection into the order of the result. Existing mapping entries keep their
// order. A new entry has the place of the first piece that moves into it, or follows the entry that precedes it in the
// desired object. Items of a sequence have the desired order.
func (s *source) arrange(desired *node) {
	old := desired.old
	if desired.isRewritten {
		old = nil
	}
	slot, order := -1, 0
	origin := map[int]*node{} // by slot, the mapping from which its first piece moves
	// scattered are the slots whose entries have the desired order, because their pieces have no common order in the
	// text: pieces that move from several mappings, under another key, or into a new entry with others. In a new
	// collection, an entry without a piece has the same effect. The entries of other slots keep the order of the text.
	scattered := map[int]bool{}
	for _, m := range desired.entries {
		piece := firstPiece(m, old)
		switch {
		case m.oldEntry != nil:
			slot, order = m.oldEntry.index, 0
		case piece == nil:
			scattered[slot] = scattered[slot] || old == nil
		case desired.kind == mapping:
			order = piece.begin
			if old != nil {
				slot = piece.removedEntry.index
			}
			origin[slot] = cmp.Or(origin[slot], piece.parent)
			isUnderSameKey := m.piece != nil && m.key == piece.key
			if !isUnderSameKey || origin[slot] != piece.parent {
				scattered[slot] = true
			}
		}
		m.slot, m.order = slot, order
		if m.piece == nil && !m.value.isUnchanged {
			s.arrange(m.value)
		}
	}
	slices.SortStableFunc(desired.entries, func(a, b *entry) int {
		if a.slot != b.slot || scattered[a.slot] {
			return cmp.Compare(a.slot, b.slot)
		}
		return cmp.Compare(a.order, b.order)
	})
	s.joinNeighbors(old, desired)
}

// firstPiece returns the first of the pieces that move to a new entry from entries of a value, or from within them, or
// nil. If old is nil, only a piece that is the whole entry counts.
func firstPiece(m *entry, old *node) *entry {
	switch {
	case old == nil || m.piece != nil && m.piece.removedEntry.parent == old:
		return m.piece
	case m.piece != nil || m.oldEntry != nil:
		return nil
	}
	var first *entry
	for _, inner := range m.value.entries {
		if e := firstPiece(inner, old); e != nil && (first == nil || e.begin < first.begin) {
			first = e
		}
	}
	return first
}

// joinNeighbors joins pieces that are neighbors before and after the move: the text between them moves with the second.
// A piece that moves from the beginning of an inner mapping to an existing mapping around it takes the blank lines
// above it along.
func (s *source) joinNeighbors(old, desired *node) {
	var before *entry
	for _, m := range desired.entries {
		piece := m.piece
		switch {
		case piece == nil || piece.parent == old || piece.parent.isFlow:
			piece = nil
		case before != nil && piece.parent == before.parent && piece.index == before.index+1:
			piece.begin = before.end
		case old != nil && piece.index == 0 && !piece.isAfterDash && piece != piece.removedEntry:
			below := s.lines.nextLineBegin(piece.parent.owner.keyEnd)
			if below < piece.begin && strings.TrimSpace(s.text[below:piece.begin]) == "" {
				piece.begin = below
			}
		}
		before = piece
		if m.piece == nil {
			continue
		}
		comments := s.commentsIn(m.piece.begin, m.piece.end)
		for i := range comments {
			comments[i].isMoved = true
		}
	}
}
