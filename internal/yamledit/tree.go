package yamledit

import (
	"hash/maphash"
	"sort"
)

// source is a text with the positions of its values.
type source struct {
	text              string // ends with a line end
	lacksFinalNewline bool   // the given text has no line end at its end
	isJSON            bool
	flowToBlock       bool // collections in brackets that change and have comments are rewritten in block style
	firstLine         int  // number in the file of the first line
	root              *node
	lines             lines
	comments          []comment // in their order
	anchors           []anchor  // in their order
	seed              maphash.Seed
}

func newSource(text string, first int) (*source, error) {
	lines, err := splitLines(text)
	return &source{text: text, firstLine: first, lines: lines, seed: maphash.MakeSeed()}, err
}

// comment is a comment, from its # to the end of its line.
type comment struct {
	text       string
	line       int // in the file
	begin, end int
	isMoved    bool
}

// anchor is an anchor, without its &.
type anchor struct {
	name string
	line int // in the file
}

type kind uint8

const (
	scalar kind = iota
	mapping
	sequence
)

// node is a value of the text, or of the desired object.
type node struct {
	kind           kind
	isFlow         bool // in brackets; always set in JSON
	quote          byte // of a scalar: ', ", | for both kinds of block scalars, or 0
	isText         bool
	whyNotEditable string // why nothing in it can be changed, or ""
	// begin and end of the text. Those of a block collection are the beginning of the first entry and the end of the
	// last one. Others exclude the anchor and the tag, which begin at outerBegin.
	outerBegin, begin, end int
	col                    int // column of the keys or dashes of a block
	line                   int
	hash                   uint64 // of the value
	entries                []*entry
	owner                  *entry // the entry that has this value, nil at the top

	// Only in the desired object: the text of a scalar, the old value in its place, and whether that is unchanged or
	// rewritten. If neither is set, it is edited.
	text                     string
	old                      *node
	isUnchanged, isRewritten bool
}

// entry is an entry of a mapping, or an item of a sequence.
type entry struct {
	key string // "" for an item
	// keyBegin and keyEnd are the range of the key, or of the dash of an item. In a sequence in flow style both are
	// the beginning of the value.
	keyBegin, keyEnd int
	// begin and end of all text of the entry: in a block, whole lines with the comments above and after it. An entry
	// that follows a dash on its line begins at its key.
	begin, end  int
	isAfterDash bool
	col         int
	value       *node
	parent      *node
	index       int // in parent

	removedEntry *entry // the removed entry that this one is, or is in
	isUsed       bool   // its text, or a part of it, moves

	// Only in the desired object.
	oldEntry *entry // the old entry, if it is kept
	piece    *entry // whose text moves here
	slot     int    // index of the old entry at this place, -1 before the first
	order    int    // position within the slot
}

func (e *entry) isItem() bool { return e.parent.kind == sequence }

// brackets returns the brackets of a collection.
func (n *node) brackets() string {
	if n.kind == sequence {
		return "[]"
	}
	return "{}"
}

// inFlow reports whether a value is within brackets.
func (n *node) inFlow() bool { return n.owner != nil && n.owner.parent.isFlow }

// lineOf returns the line in the file of an offset.
func (s *source) lineOf(at int) int { return s.lines.indexAt(at) + s.firstLine }

// commentsIn returns the comments in a range.
func (s *source) commentsIn(begin, end int) []comment {
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
