package yamledit

import (
	"hash/maphash"
	"sort"
)

// source is a text with the places of what it says.
type source struct {
	text              string // ends with a line end
	lacksFinalNewline bool   // the text that was given does not
	isJSON            bool
	firstLine         int // line in the file of the first line
	root              *node
	lines             lines
	comments          []mark // in their order
	anchors           []mark // in their order
	seed              maphash.Seed
}

func newSource(text string, first int) (*source, error) {
	lines, err := splitLines(text)
	return &source{text: text, firstLine: first, lines: lines, seed: maphash.MakeSeed()}, err
}

// mark of the author: a comment, from its # to the end of its line, or an anchor of a value.
type mark struct {
	text       string
	line       int // in the file
	begin, end int // of a comment
	isMoved    bool
}

type kind uint8

const (
	scalar kind = iota
	mapping
	sequence
)

// node is a value that is there, or that is wanted.
type node struct {
	kind     kind
	isFlow   bool // in brackets; of JSON all are
	quote    byte // of a scalar: ', ", | of both sorts of blocks, or 0
	isText   bool
	whyFixed string // why nothing in it can be changed, or ""
	// begin and end of what is written. Of a mapping or sequence in block style these are the
	// beginning of the first entry and the end of the last one; of others the anchor and the tag
	// are left out, which begin at from.
	outerBegin, begin, end int
	col                    int // of the keys or dashes of a block
	line                   int
	hash                   uint64 // of what it says
	entries                []*entry
	owner                  *entry // whose value it is, nil at the top

	// Of what is wanted: the text of a scalar, what is in its place, and what is done about it: it
	// may be unchanged, be edited, or be rewritten.
	text                     string
	old                      *node
	isUnchanged, isRewritten bool
}

// entry of a mapping, or item of a sequence.
type entry struct {
	key string // "" of an item
	// keyBegin and keyEnd are where the key stands, or the dash of an item. In a sequence in flow
	// style both are the beginning of the value.
	keyBegin, keyEnd int
	// begin and end of all that belongs to the entry: in a block, whole lines with the comments
	// above and behind. An entry that follows a dash on its line begins at its key.
	begin, end  int
	isAfterDash bool
	col         int
	value       *node
	parent      *node
	index       int // in it

	removedEntry *entry // the entry which this one is in, or is, that is not wanted where it is
	isUsed       bool   // its text, or some of it, was moved

	// Of what is wanted.
	oldEntry *entry // that stays where it is
	piece    *entry // whose text is moved here
	slot     int    // index of the entry that was where it is, -1 before the first
	order    int    // in its slot
}

func (e *entry) isItem() bool { return e.parent.kind == sequence }

// brackets of a collection.
func (n *node) brackets() string {
	if n.kind == sequence {
		return "[]"
	}
	return "{}"
}

// inFlow reports whether a value stands in brackets.
func (n *node) inFlow() bool { return n.owner != nil && n.owner.parent.isFlow }

// lineOf an offset, in the file.
func (s *source) lineOf(at int) int { return s.lines.indexAt(at) + s.firstLine }

// commentsIn a range.
func (s *source) commentsIn(begin, end int) []mark {
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].begin >= begin })
	j := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].begin >= end })
	return s.comments[i:max(i, j)]
}

// byKey returns entries by their keys.
func byKey(entries []*entry) map[string]*entry {
	all := make(map[string]*entry, len(entries))
	for _, e := range entries {
		all[e.key] = e
	}
	return all
}
