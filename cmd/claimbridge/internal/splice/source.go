package splice

import (
	"hash/maphash"
	"sort"
)

// maxNodes of a document that is edited. A list of MaxDocument holds 5,000 claims of 3 KiB, each of up to 120 values and keys; a node
// takes some 200 bytes, so that these take a tenth of what the YAML parser needs for the worst document.
const maxNodes = 1 << 20

type kind uint8

const (
	scalar kind = iota
	mapping
	sequence
	alias
)

// source is a text with the places of what it says.
type source struct {
	text     []byte // ends with a line end
	given    []byte // the text that was given, which may not
	json     bool
	first    int // line in the file of the first line
	root     *node
	lines    lines
	comments []comment // in their order
	moved    []*entry  // in their order
	kept     bool      // every word of the text stays or moves, but for its version
	seed     maphash.Seed
	anchors  []anchor // in their order
	parse    func(text []byte) (result, error)
}

// result is what is in a text that was edited.
type result struct {
	object   []byte // as JSON
	comments []string
	anchors  []anchor
}

// anchor of a value, for aliases to name.
type anchor struct {
	name string
	line int // in the file
}

// comment from its # to the end of its line.
type comment struct{ begin, end int }

// node is a value.
type node struct {
	kind   kind
	flow   bool // in brackets; of JSON all are
	quote  byte // of a scalar: ', ", |, > or 0
	isText bool
	// version is set of an apiVersion, which is no word of the author.
	version bool
	closed  string // why nothing in it can be changed, or ""
	// begin and end of what is written. Of a mapping or sequence in block style these are the beginning of the first entry and
	// the end of the last one; of others the anchor and the tag are left out.
	begin, end int
	col        int // of the keys or dashes of a block
	line       int
	hash       uint64
	entries    []*entry
	parent     *node  // that it is in
	stands     *node  // what an alias stands for
	holder     *entry // whose value it is, once that is gone
}

// entry of a mapping, or item of a sequence.
type entry struct {
	key string // "" of an item
	// keyBegin and keyEnd are where the key stands, or the dash of an item. In a sequence in flow style both are the beginning of
	// the value.
	keyBegin, keyEnd int
	// begin and end of all that belongs to the entry: in a block, whole lines with the comments above and behind. An entry that
	// follows a dash on its line begins at its key.
	begin, end int
	behindDash bool
	col        int
	value      *node
	in         *node
	index      int      // in it
	merge      bool     // brings in other entries
	silent     bool     // says nothing, and stays as long as what it is in
	effective  []*entry // that a merge key brings in

	gone  bool   // not wanted where it is
	root  *entry // the entry that is gone which this one is in, or is
	taken bool   // its text, or some of it, was moved
	whole bool   // all of it was
}

// target is the value itself, or what it is an alias of.
func (n *node) target() *node {
	for n.kind == alias {
		n = n.stands
	}
	return n
}

// lineOf an offset, in the file.
func (s *source) lineOf(at int) int { return s.lines.at(at) + s.first }

// commentsIn a range.
func (s *source) commentsIn(begin, end int) []comment {
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].begin >= begin })
	j := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].begin >= end })
	return s.comments[i:max(i, j)]
}

// sum is the hash of a scalar, or of a name.
func sum(seed maphash.Seed, isText bool, text string) uint64 {
	h := maphash.String(seed, text)
	if isText {
		h ^= 0x9e3779b97f4a7c15
	}
	return h
}

// mix makes the hash of an entry. Hashes of the entries of a mapping are added, as order does not count.
func mix(a, b uint64) uint64 {
	h := (a ^ (b<<31 | b>>33)) * 0xff51afd7ed558ccd
	h ^= h >> 32
	h = (h + b) * 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

const (
	emptyMapping  = 0x6a09e667f3bcc909
	emptySequence = 0xbb67ae8584caa73b
)
