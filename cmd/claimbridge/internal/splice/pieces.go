package splice

import (
	"cmp"
	"slices"
	"sort"
)

// formerNames of fields, to which their text moves when the value is the same.
var formerNames = map[string][]string{
	"deviceClassName":   {"resourceClassName"},
	"resourceClassName": {"deviceClassName"},
	"driver":            {"driverName"},
	"driverName":        {"driver"},
	"nodeSelector":      {"availableOnNodes"},
	"availableOnNodes":  {"nodeSelector"},

	"resource.kubernetes.io/admin-access": {"resource.k8s.io/admin-access"},
	"resource.k8s.io/admin-access":        {"resource.kubernetes.io/admin-access"},
}

// pieces are entries that are gone from where they were, and those within them: texts for what is new.
type pieces struct {
	lists map[pieceKey]*alike
	moved []*entry
}

type pieceKey struct {
	key  string
	item bool
	hash uint64
	kind kind
}

// alike are pieces of the same key and value, in the order of the text.
type alike struct {
	entries []*entry
	next    []int // of an entry and behind it, one that is not known to be used
}

func index(gone []*entry) *pieces {
	slices.SortFunc(gone, func(a, b *entry) int { return cmp.Compare(a.begin, b.begin) })
	l := &pieces{lists: map[pieceKey]*alike{}}
	for _, e := range gone {
		l.add(e, e)
	}
	for _, a := range l.lists {
		a.next = make([]int, len(a.entries)+1)
		for i := range a.next {
			a.next[i] = i
		}
	}
	return l
}

func (l *pieces) add(e, root *entry) {
	e.root, e.value.holder = root, e
	if e.merge {
		return
	}
	k := keyOf(e)
	if l.lists[k] == nil {
		l.lists[k] = &alike{}
	}
	l.lists[k].entries = append(l.lists[k].entries, e)
	if e.value.closed != "" {
		return
	}
	for _, inner := range e.value.entries {
		l.add(inner, root)
	}
}

func keyOf(e *entry) pieceKey {
	return pieceKey{e.key, e.in.kind == sequence, e.value.hash, e.value.target().kind}
}

// give a piece to what is new inside of a value, or to what is in it, and reports whether there was one.
func (l *pieces) give(m *entry, inside *node) bool {
	if e := l.find(m, inside); e != nil {
		e.take()
		e.whole = true
		l.moved = append(l.moved, e)
		m.moved, m.moves = e, true
		return true
	}
	for _, inner := range m.value.entries {
		if l.give(inner, inside) {
			m.moves = true
		}
	}
	return m.moves
}

// find the nearest piece: in the same value, else in the one around it, and so on.
func (l *pieces) find(m *entry, inside *node) *entry {
	k := keyOf(m)
	candidates := []*alike{l.lists[k]}
	for _, name := range formerNames[m.key] {
		k.key = name
		candidates = append(candidates, l.lists[k])
	}
	for ; inside != nil; inside = inside.parent {
		some := false
		for _, a := range candidates {
			if a == nil {
				continue
			}
			some = true
			if e := a.within(inside.begin, inside.end); e != nil {
				return e
			}
		}
		if !some {
			return nil
		}
	}
	return nil
}

// within gives the first piece in a range that is not used.
func (a *alike) within(begin, end int) *entry {
	i := sort.Search(len(a.entries), func(i int) bool { return a.entries[i].begin >= begin })
	for {
		j := i
		for a.next[j] != j {
			a.next[j] = a.next[a.next[j]]
			j = a.next[j]
		}
		if j == len(a.entries) || a.entries[j].begin >= end {
			return nil
		}
		if e := a.entries[j]; !e.taken {
			return e
		}
		a.next[j] = j + 1
	}
}

// take a piece: neither it nor what is in it, nor what it is in, can be taken after that.
func (e *entry) take() {
	e.mark()
	for n := e.in; n != nil && e != e.root; n = n.parent {
		up := n.holder
		if up == nil || up.taken {
			return
		}
		up.taken = true
		if up == e.root {
			return
		}
	}
}

func (e *entry) mark() {
	if e.taken {
		return
	}
	e.taken = true
	for _, inner := range e.value.entries {
		inner.mark()
	}
}
