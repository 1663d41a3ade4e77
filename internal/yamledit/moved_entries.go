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

// candidates are removed entries and the entries within them, by their key and value. Each can become the piece of a
// new entry with an equal value.
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

// candidateKeyOf returns the key of candidates with the value of an entry and with a name, which is its own or that of
// another version.
func candidateKeyOf(e *entry, name string) candidateKey {
	return candidateKey{key: name, isItem: e.isItem(), hash: e.value.hash}
}

// assign assigns a piece to a new entry or, if no candidate matches, to each entry in its value for which one does.
// inside is the old value to which the new entry is added.
func (c candidates) assign(m *entry, inside *node) {
	if piece := c.find(m, inside); piece != nil {
		piece.markUsed()
		m.piece = piece
		return
	}
	for _, inner := range m.value.entries {
		c.assign(inner, inside)
	}
}

// find returns the nearest unused candidate for a new entry, or nil: one in the old value inside, else one in the value
// around it, and so on.
func (c candidates) find(m *entry, inside *node) *entry {
	var lists []*candidateList
	for _, name := range append([]string{m.key}, namesInOtherVersions[m.key]...) {
		if list := c[candidateKeyOf(m, name)]; list != nil {
			lists = append(lists, list)
		}
	}
	for {
		for _, list := range lists {
			if e := list.firstUnused(inside.begin, inside.end); e != nil {
				return e
			}
		}
		if inside.owner == nil {
			return nil
		}
		inside = inside.owner.parent
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

// markUsed marks a piece as used, with the entries in it and those around it, up to the removed entry. None of them can
// become another piece.
func (e *entry) markUsed() {
	e.markTreeUsed()
	for around := e; around != e.removedEntry; {
		around = around.parent.owner
		if around.isUsed {
			return
		}
		around.isUsed = true
	}
}

func (e *entry) markTreeUsed() {
	e.isUsed = true
	for _, inner := range e.value.entries {
		inner.markTreeUsed()
	}
}
