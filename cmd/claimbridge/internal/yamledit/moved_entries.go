package yamledit

import "sort"

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
type pieces map[pieceKey]*candidates

type pieceKey struct {
	key  string
	item bool
	hash uint64
}

// candidates are pieces of the same key and value, in the order of the text.
type candidates struct {
	entries []*entry
	next    []int // of an entry and behind it, one that is not known to be used
}

// add an entry within one that is gone, or that itself. They are added in the order of the text.
func (l pieces) add(e, root *entry) {
	e.removedEntry = root
	k := keyOf(e, e.key)
	a := l[k]
	if a == nil {
		a = &candidates{next: []int{0}}
		l[k] = a
	}
	a.entries, a.next = append(a.entries, e), append(a.next, len(a.next))
	if e.value.whyFixed == "" {
		for _, inner := range e.value.entries {
			l.add(inner, root)
		}
	}
}

func keyOf(e *entry, name string) pieceKey {
	return pieceKey{name, e.isItem(), e.value.hash}
}

// assign a piece to what is new inside of a value, or else to what is in it.
func (l pieces) assign(m *entry, inside *node) {
	if e := l.find(m, inside); e != nil {
		e.markUsed()
		m.piece = e
		return
	}
	for _, inner := range m.value.entries {
		l.assign(inner, inside)
	}
}

// find the nearest piece: in the same value, else in the one around it, and so on.
func (l pieces) find(m *entry, inside *node) *entry {
	var named []*candidates
	for _, name := range append([]string{m.key}, formerNames[m.key]...) {
		if a := l[keyOf(m, name)]; a != nil {
			named = append(named, a)
		}
	}
	for ; ; inside = inside.owner.parent {
		for _, a := range named {
			if e := a.firstUnused(inside.begin, inside.end); e != nil {
				return e
			}
		}
		if inside.owner == nil {
			return nil
		}
	}
}

// within gives the first piece in a range that is not used.
func (a *candidates) firstUnused(begin, end int) *entry {
	i := sort.Search(len(a.entries), func(i int) bool { return a.entries[i].begin >= begin })
	for {
		for a.next[i] != i {
			a.next[i] = a.next[a.next[i]]
			i = a.next[i]
		}
		if i == len(a.entries) || a.entries[i].begin >= end {
			return nil
		}
		if !a.entries[i].isUsed {
			return a.entries[i]
		}
		a.next[i] = i + 1
	}
}

// use a piece. Neither it, nor what is in it, nor what it is in, can be used again.
func (e *entry) markUsed() {
	e.markTreeUsed()
	for up := e; up != e.removedEntry && !up.parent.owner.isUsed; {
		up = up.parent.owner
		up.isUsed = true
	}
}

func (e *entry) markTreeUsed() {
	e.isUsed = true
	for _, inner := range e.value.entries {
		inner.markTreeUsed()
	}
}
