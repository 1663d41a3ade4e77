package yamledit

import "sort"

// namesInOtherVersions are the names of a field in other versions. Its text moves between them if the value is equal.
var namesInOtherVersions = map[string][]string{
	"deviceClassName":   {"resourceClassName"},
	"resourceClassName": {"deviceClassName"},
	"driver":            {"driverName"},
	"driverName":        {"driver"},
	"nodeSelector":      {"availableOnNodes"},
	"availableOnNodes":  {"nodeSelector"},

	"resource.kubernetes.io/admin-access": {"resource.k8s.io/admin-access"},
	"resource.k8s.io/admin-access":        {"resource.kubernetes.io/admin-access"},
}

// pieces are removed entries and those within them. Their texts can move to new entries.
type pieces map[pieceKey]*candidates

type pieceKey struct {
	key  string
	item bool
	hash uint64
}

// candidates are pieces with the same key and value, in the order of the text.
type candidates struct {
	entries []*entry
	next    []int // for each entry, the index of an entry from there on that may be unused
}

// add adds an entry that is removed or is within a removed entry. Entries are added in the order of the text.
func (l pieces) add(e, root *entry) {
	e.removedEntry = root
	k := keyOf(e, e.key)
	a := l[k]
	if a == nil {
		a = &candidates{next: []int{0}}
		l[k] = a
	}
	a.entries, a.next = append(a.entries, e), append(a.next, len(a.next))
	if e.value.whyNotEditable == "" {
		for _, inner := range e.value.entries {
			l.add(inner, root)
		}
	}
}

func keyOf(e *entry, name string) pieceKey {
	return pieceKey{name, e.isItem(), e.value.hash}
}

// assign assigns a piece to a new entry inside of a value, or else to the entries in it.
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

// find returns the nearest unused piece: in the same value, else in the value around it, and so on.
func (l pieces) find(m *entry, inside *node) *entry {
	var named []*candidates
	for _, name := range append([]string{m.key}, namesInOtherVersions[m.key]...) {
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

// firstUnused returns the first piece in a range that is not used.
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

// markUsed marks a piece as used. It, the entries in it, and the entries around it cannot be used again.
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
