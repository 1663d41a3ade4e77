package yamledit

import (
	"cmp"
	"hash/maphash"
)

// hashInput is a scalar, an entry of a mapping, or an item of a sequence (value) with the items before it (before).
type hashInput struct {
	kind          kind
	isText        bool
	text          string
	before, value uint64
}

func (s *source) hash(what hashInput) uint64 { return maphash.Comparable(s.seed, what) }

// setHash sets the hash of a value. The order of a mapping does not matter.
func (s *source) setHash(n *node) {
	for i, e := range n.entries {
		e.index = i
	}
	if n.kind == scalar {
		n.hash = s.hash(hashInput{isText: n.isText, text: n.text})
		return
	}
	n.hash = s.hash(hashInput{kind: n.kind})
	if n.kind == sequence {
		for _, e := range n.entries {
			n.hash = s.hash(hashInput{kind: sequence, before: n.hash, value: e.value.hash})
		}
		return
	}
	entries := make(map[string]*entry, len(n.entries))
	for _, e := range n.entries {
		if entries[e.key] != nil {
			n.whyNotEditable = cmp.Or(n.whyNotEditable, "a key is duplicated")
		}
		entries[e.key] = e
	}
	for key, e := range entries {
		n.hash += s.hash(hashInput{kind: mapping, text: key, value: e.value.hash})
	}
}
