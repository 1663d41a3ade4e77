package splice

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
	members := map[string]*node{}
	switch {
	case n.kind == scalar:
		n.hash = source.hash
		return
	case n.kind == sequence && len(n.entries) != len(source.entries):
		return
	case n.kind == mapping:
		for _, e := range n.entries {
			if e.merge {
				return
			}
		}
		for _, m := range source.entries {
			members[m.key] = m.value
		}
	}
	for i, e := range n.entries {
		if n.kind == sequence {
			s.respell(e.value, source.entries[i].value)
		} else if m := members[e.key]; m != nil {
			s.respell(e.value, m)
		} else {
			e.silent = s.saysNothing(e.value)
		}
	}
	s.sum(n)
}

// saysNothing reports whether a value is one that conversions leave out.
func (s *source) saysNothing(n *node) bool {
	if n.kind != scalar {
		return n.kind != alias && len(n.entries) == 0
	}
	switch n.hash {
	case s.hash(said{isText: true}), s.hash(said{text: "null"}), s.hash(said{text: "false"}), s.hash(said{text: "0"}):
		return true
	}
	return false
}
