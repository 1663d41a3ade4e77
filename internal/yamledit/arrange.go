package yamledit

import (
	"cmp"
	"slices"
	"strings"
)

// arrange sorts the entries of a desired collection into the order of the result, by their slots and within them. Items
// of a sequence have the desired order. In a mapping, kept entries have the order of the text. If the first piece of a
// new entry moves out of a removed entry of the mapping, the new entry has the slot of that one. Otherwise it has the
// slot of the entry before it in the desired object. In a new collection, all entries have slot -1.
//
// Within a slot, entries have the order of their pieces in the text. If the pieces are scattered, they have no common
// order, and the entries have the desired order. An example is the removal of old in favor of the values in it:
//
//	old:                   first: 1
//	  b: {second: 2}       second: 2
//	  a: {first: 1}
func (s *source) arrange(desired *node) {
	old := desired.old
	if desired.isRewritten {
		old = nil
	}
	slot, order := -1, 0
	origin := map[int]*node{} // by slot, the mapping from which its first piece moves
	// scattered are the slots with pieces from several mappings, under other keys, or within new entries. In a new
	// collection, an entry without a piece has the same effect.
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

// firstPiece returns the first of the pieces that move out of the value old into a new entry, or nil. For example, if a
// request of the text has deviceClassName and count, deviceClassName is the first piece of a new entry exactly. If old
// is nil, only the piece of the entry itself counts.
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

// joinNeighbors extends pieces by text around them that has to move, too. In this example, count moves with the blank
// line above it, because both pieces are neighbors before and after the move. The first piece moves with the blank line
// above it, because it moves from the beginning of a mapping to one around it:
//
//	name: gpu                  name: gpu
//	exactly:
//	                           deviceClassName: c
//	  deviceClassName: c
//	                           count: 2
//	  count: 2
//
// It also marks the comments that move.
func (s *source) joinNeighbors(old, desired *node) {
	var previous *entry // the piece of the entry before, if it can have neighbors
	for _, m := range desired.entries {
		piece := m.piece
		switch {
		case piece == nil || piece.parent == old || piece.parent.isFlow:
			piece = nil
		case previous != nil && piece.parent == previous.parent && piece.index == previous.index+1:
			piece.begin = previous.end
		case old != nil && piece.index == 0 && !piece.isAfterDash && piece != piece.removedEntry:
			below := s.lines.nextLineBegin(piece.parent.owner.keyEnd)
			if below < piece.begin && strings.TrimSpace(s.text[below:piece.begin]) == "" {
				piece.begin = below
			}
		}
		previous = piece
		if m.piece != nil {
			s.markMoved(m.piece)
		}
	}
}

// markMoved marks the comments of a piece, which move with it.
func (s *source) markMoved(piece *entry) {
	comments := s.commentsIn(piece.begin, piece.end)
	for i := range comments {
		comments[i].isMoved = true
	}
}
