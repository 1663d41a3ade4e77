package splice

import "hash/maphash"

// maxMerged bounds what merge keys bring in. No person writes as much, and it keeps a few lines from costing more than the rest.
const maxMerged = 1 << 16

// finish computes what a collection says, and which of its entries count.
func (s *source) finish(out *node) {
	for i, e := range out.entries {
		e.index = i
	}
	if out.kind == sequence {
		out.hash = emptySequence
		for _, e := range out.entries {
			out.hash = mix(out.hash, e.value.hash)
		}
		return
	}
	out.hash = emptyMapping
	counts := make(map[string]*entry, len(out.entries))
	for _, e := range out.entries {
		if e.merge {
			s.bring(out, e)
			continue
		}
		if counts[e.key] != nil {
			out.close("a key is there twice")
		}
		counts[e.key] = e
	}
	for _, e := range out.entries {
		for _, m := range e.effective {
			if counts[m.key] == nil {
				counts[m.key] = m
			}
		}
	}
	for key, e := range counts {
		out.hash += mix(sum(s.seed, true, key), e.value.hash)
	}
}

// bring finds what a merge key brings in.
func (s *source) bring(out *node, e *entry) {
	targets := []*node{e.value}
	if e.value.kind == sequence {
		targets = targets[:0]
		for _, item := range e.value.entries {
			targets = append(targets, item.value)
		}
	}
	seen := map[string]bool{}
	for _, t := range targets {
		if t = t.target(); t == nil || t.kind != mapping {
			out.close("a merge key brings in what is no mapping")
			return
		}
		for _, own := range []bool{true, false} {
			for _, m := range t.entries {
				list := []*entry{m}
				if m.merge {
					list = m.effective
				}
				if m.merge == own {
					continue
				}
				for _, m := range list {
					if s.merged++; s.merged > maxMerged {
						out.close("merge keys bring in too much")
						return
					}
					if !seen[m.key] {
						seen[m.key] = true
						e.effective = append(e.effective, m)
					}
				}
			}
		}
	}
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
