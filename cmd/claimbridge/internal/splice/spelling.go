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
func (s *source) respell(n, said *node) {
	if n.hash == said.hash || n.kind != said.kind || n.closed != "" {
		return
	}
	switch n.kind {
	case scalar:
		n.hash = said.hash
	case sequence:
		if len(n.entries) != len(said.entries) {
			return
		}
		n.hash = emptySequence
		for i, e := range n.entries {
			s.respell(e.value, said.entries[i].value)
			n.hash = mix(n.hash, e.value.hash)
		}
	case mapping:
		members := make(map[string]*node, len(said.entries))
		for _, m := range said.entries {
			members[m.key] = m.value
		}
		for _, e := range n.entries {
			if e.merge {
				return
			}
		}
		n.hash = emptyMapping
		for _, e := range n.entries {
			switch m := members[e.key]; {
			case m != nil:
				s.respell(e.value, m)
			case e.value.saysNothing(s):
				e.silent = true
				continue
			}
			n.hash += mix(sum(s.seed, true, e.key), e.value.hash)
		}
	}
}

// saysNothing reports whether a value is one that conversions leave out.
func (n *node) saysNothing(s *source) bool {
	if n.kind != scalar {
		return n.kind != alias && len(n.entries) == 0
	}
	return n.hash == sum(s.seed, true, "") || n.hash == sum(s.seed, false, "null") || n.hash == sum(s.seed, false, "false") || n.hash == sum(s.seed, false, "0")
}
