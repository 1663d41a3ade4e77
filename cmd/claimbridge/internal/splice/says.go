package splice

import (
	"cmp"
	"hash/maphash"
)

// said is a scalar, an entry of a mapping, or the items of a sequence up to one.
type said struct {
	kind          kind
	isText        bool
	text          string
	before, value uint64
}

func (s *source) hash(what said) uint64 { return maphash.Comparable(s.seed, what) }

// sum up what a value says: its hash, and what merge keys bring in. The order of a mapping does not count.
func (s *source) sum(n *node) {
	for i, e := range n.entries {
		e.index = i
	}
	if n.kind == scalar {
		n.hash = s.hash(said{isText: n.isText, text: n.text})
		return
	}
	n.hash = s.hash(said{kind: n.kind})
	if n.kind == sequence {
		for _, e := range n.entries {
			n.hash = s.hash(said{kind: sequence, before: n.hash, value: e.value.hash})
		}
		return
	}
	counts := make(map[string]*entry, len(n.entries))
	for _, e := range n.entries {
		if e.merge || e.silent {
			continue
		}
		if counts[e.key] != nil {
			n.closed = cmp.Or(n.closed, "a key is there twice")
		}
		counts[e.key] = e
	}
	for _, e := range n.entries {
		if e.merge {
			s.bring(n, e.value.target(), counts)
		}
	}
	for key, e := range counts {
		n.hash += s.hash(said{kind: mapping, text: key, value: e.value.hash})
	}
}

// bring in what a merge key stands for, but for what is there or was brought in already.
func (s *source) bring(n, from *node, counts map[string]*entry) {
	if from.kind == sequence && from.of.merge {
		for _, item := range from.entries {
			s.bring(n, item.value.target(), counts)
		}
		return
	}
	if from.kind != mapping {
		n.closed = cmp.Or(n.closed, "a merge key brings in what is no mapping")
		return
	}
	for _, list := range [][]*entry{from.entries, from.brought} {
		for _, m := range list {
			if s.merged++; s.merged > maxMerged {
				n.closed = cmp.Or(n.closed, "merge keys bring in too much")
				return
			}
			if !m.merge && counts[m.key] == nil {
				counts[m.key] = m
				n.brought = append(n.brought, m)
			}
		}
	}
}
