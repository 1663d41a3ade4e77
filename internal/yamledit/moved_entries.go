package yamledit

import "sort"

// namesInOtherVersions maps the name of a field to its names in other versions. A new field reuses the text of a
// removed one with such a name if their values are equal.
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

// candidates are the removed entries and the entries within them, by key and value. The text of a candidate is reused
// for a new entry with an equal value. The candidate is then the piece of that entry.
type candidates map[candidateKey]*candidateList

type candidateKey struct {
	key    string // "" for an item
	isItem bool
	hash   uint64 // of the value
}

// candidateList has the candidates with the same key and value, in the order of the text.
type candidateList struct {
	entries []*entry
	// next[i] is i or a later index, up to len(entries). All entries from i up to it are used, so firstUnused skips
	// them. Like the paths of a union-find structure, it is compressed on each use.
	next []int
}

// add adds an entry that is removed or is within the removed entry root. Entries are added in the order of the text.
func (c candidates) add(e, root *entry) {
	e.removedEntry = root
	key := candidateKeyOf(e, e.key)
	list := c[key]
	if list == nil {
		list = &candidateList{next: []int{0}}
		c[key] = list
	}
	list.entries = append(list.entries, e)
	list.next = append(list.next, len(list.next))
	if e.value.whyNotEditable == "" {
		for _, inner := range e.value.entries {
			c.add(inner, root)
		}
	}
}

// candidateKeyOf returns the key of the candidates with the value of an entry and the given name: the entry's own, or
// its name in another version.
func candidateKeyOf(e *entry, name string) candidateKey {
	return candidateKey{key: name, isItem: e.isItem(), hash: e.value.hash}
}

// assign assigns a piece to a new entry. If no candidate matches it, assign tries each entry in its value. container is
// the old value to which the new entry is added.
func (c candidates) assign(m *entry, container *node) {
	if piece := c.find(m, container); piece != nil {
		piece.markUsed()
		m.piece = piece
		return
	}
	for _, inner := range m.value.entries {
		c.assign(inner, container)
	}
}

// find returns the nearest unused candidate for a new entry, or nil. It searches the old value container first, and
// then each value that encloses it.
func (c candidates) find(m *entry, container *node) *entry {
	var lists []*candidateList
	for _, name := range append([]string{m.key}, namesInOtherVersions[m.key]...) {
		if list := c[candidateKeyOf(m, name)]; list != nil {
			lists = append(lists, list)
		}
	}
	for {
		for _, list := range lists {
			if e := list.firstUnused(container.begin, container.end); e != nil {
				return e
			}
		}
		if container.owner == nil {
			return nil
		}
		container = container.owner.parent
	}
}

// firstUnused returns the first candidate in a range of the text that is not used, or nil.
func (l *candidateList) firstUnused(begin, end int) *entry {
	i := sort.Search(len(l.entries), func(i int) bool { return l.entries[i].begin >= begin })
	for {
		for l.next[i] != i {
			l.next[i] = l.next[l.next[i]]
			i = l.next[i]
		}
		if i == len(l.entries) || l.entries[i].begin >= end {
			return nil
		}
		if !l.entries[i].isUsed {
			return l.entries[i]
		}
		l.next[i] = i + 1
	}
}

// markUsed marks a piece as used, with the entries in it and those that enclose it, up to the removed entry. None of
// them can become another piece.
func (e *entry) markUsed() {
	e.markTreeUsed()
	for enclosing := e; enclosing != e.removedEntry; {
		enclosing = enclosing.parent.owner
		if enclosing.isUsed {
			return
		}
		enclosing.isUsed = true
	}
}

func (e *entry) markTreeUsed() {
	e.isUsed = true
	for _, inner := range e.value.entries {
		inner.markTreeUsed()
	}
}
