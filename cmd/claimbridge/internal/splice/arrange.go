package splice

import (
	"bytes"
	"cmp"
	"slices"
)

// placed is an entry of the result: one that is wanted, or a merge key or what says nothing.
type placed struct {
	wanted *entry
	kept   *entry
	slot   int // index of the entry that was where it is, -1 before the first
	// at is the offset of that entry, and order that of what is at the same one.
	at, order int
}

// arrange gives the entries of a value in the order of the result. What was there before keeps its order: an entry that is new
// stands where the first text stood that moved into it, and otherwise behind the one that it is wanted behind. The order of items
// is that which is wanted. n is nil for a value that is written anew.
func arrange(n, w *node) []placed {
	if w.kind == sequence {
		return inSequence(w)
	}
	var out []placed
	following := map[*entry][]*entry{}
	var before *entry
	mixed := mixedRoots(n, w)
	together := n == nil && fromOnePlace(w)
	for i, m := range w.entries {
		p := placed{wanted: m, kept: m.kept, order: i}
		switch e := firstOf(m, n); {
		case m.merged:
			continue
		case m.kept != nil:
			p.at = m.kept.begin
		case e == nil || n == nil && !together:
			following[before] = append(following[before], m)
			continue
		case n == nil:
			p.at = e.begin
		case mixed[e.root]:
			p.at = e.root.begin
		default:
			p.at, p.order = e.root.begin, e.begin
		}
		out = append(out, p)
		before = m
	}
	if n != nil {
		for _, e := range n.entries {
			if e.merge || e.silent {
				out = append(out, placed{kept: e, at: e.begin})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	all := make([]placed, 0, len(w.entries))
	slot := -1
	follow := func(m *entry) {
		for _, f := range following[m] {
			all = append(all, placed{wanted: f, slot: slot})
		}
	}
	follow(nil)
	for _, p := range out {
		for n != nil && slot+1 < len(n.entries) && n.entries[slot+1].begin <= p.at {
			slot++
		}
		p.slot = slot
		all = append(all, p)
		if p.wanted != nil {
			follow(p.wanted)
		}
	}
	return all
}

// fromOnePlace reports whether all of a value is moved, from one other and as it is named there. Then its order is that of its
// author.
func fromOnePlace(w *node) bool {
	for _, m := range w.entries {
		if m.moved == nil || m.moved.in != w.entries[0].moved.in || m.moved.key != m.key {
			return false
		}
	}
	return true
}

func inSequence(w *node) []placed {
	var all []placed
	slot := -1
	for _, m := range w.entries {
		if m.kept != nil {
			slot = m.kept.index
		}
		all = append(all, placed{wanted: m, kept: m.kept, slot: slot})
	}
	return all
}

// mixedRoots are the entries of a value from which pieces go to more than one place, or under other names: these are put in the
// order that is wanted, and others stay in that of their author.
func mixedRoots(n, w *node) map[*entry]bool {
	mixed, from := map[*entry]bool{}, map[*entry]*node{}
	if n == nil {
		return mixed
	}
	for _, m := range w.entries {
		e := firstOf(m, n)
		if e == nil || m.kept != nil {
			continue
		}
		if in, others := from[e.root]; m.moved == nil || m.key != e.key || others && in != e.in {
			mixed[e.root] = true
		}
		from[e.root] = e.in
	}
	return mixed
}

// firstOf the pieces that move into something new from entries of a value, or from within them; nil when there are none. Where no
// value is given, only what moves as a whole counts.
func firstOf(m *entry, n *node) *entry {
	switch {
	case n == nil:
		return m.moved
	case m.moved != nil && m.moved.root.in == n:
		return m.moved
	case m.moved != nil || !m.moves:
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

// join pieces that stood one below the other and do so again: what is between them moves with the second.
func join(w *node) {
	var before *entry
	for _, p := range arrange(nil, w) {
		e := p.wanted.moved
		if e == nil {
			join(p.wanted.value)
		}
		if e.follows(before) {
			e.begin = before.end
		}
		before = e
	}
}

// joinInto a mapping that stays the pieces that come out of one within it. They take the blank lines above the first of them along.
func (s *source) joinInto(n, w *node) {
	var before *entry
	for _, p := range arrange(n, w) {
		if p.wanted == nil || p.wanted.moved == nil || p.wanted.moved.in == n || p.wanted.moved.in.flow {
			before = nil
			continue
		}
		switch e := p.wanted.moved; {
		case e.follows(before):
			e.begin = before.end
		case e.index == 0 && !e.behindDash && e != e.root:
			if below := s.lines.after(e.in.holder.keyEnd); below < e.begin && len(bytes.TrimSpace(s.text[below:e.begin])) == 0 {
				e.begin = below
			}
		}
		before = p.wanted.moved
	}
}

// follows reports whether an entry of a block stands directly below another one.
func (e *entry) follows(before *entry) bool {
	return e != nil && before != nil && !e.in.flow && e.in == before.in && e.index == before.index+1
}
