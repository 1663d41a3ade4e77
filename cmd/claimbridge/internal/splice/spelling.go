package splice

import "slices"

// Spelling lets a text keep words that a conversion would put in other ones: `1024Mi` for `1Gi`, and fields that say nothing, like
// `requests: []`.
type Spelling struct {
	// Source is what the text says, as JSON, in the words in which wanted has it.
	Source []byte
	// Same reports whether an object, as JSON, means what wanted does.
	Same func(object []byte) bool
}

// respell has a value say what the source does in other words. Entries of it that the source leaves out say nothing.
func (s *source) respell(n, source *node) {
	if n.hash == source.hash || n.kind != source.kind || n.closed != "" {
		return
	}
	if n.kind == scalar {
		n.hash = source.hash
		return
	}
	if n.kind == sequence && len(n.entries) != len(source.entries) {
		return
	}
	members := byKey(source.entries)
	for i, e := range n.entries {
		m := members[e.key]
		if n.kind == sequence {
			m = source.entries[i]
		}
		if m != nil {
			s.respell(e.value, m.value)
		} else {
			e.silent = s.saysNothing(e.value)
		}
	}
	s.sum(n)
}

// saysNothing reports whether a value is one that conversions leave out.
func (s *source) saysNothing(n *node) bool {
	if n.kind != scalar {
		return len(n.entries) == 0
	}
	return slices.Contains([]uint64{
		s.hash(said{isText: true}), s.hash(said{text: "null"}), s.hash(said{text: "false"}), s.hash(said{text: "0"}),
	}, n.hash)
}
