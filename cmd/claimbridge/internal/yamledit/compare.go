package yamledit

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// compare decides for each desired value whether it is unchanged, edited, or rewritten, and where its text comes from.
func (s *source) compare(root *node) error {
	c := comparer{}
	c.compareValue(s.root, root, 0)
	if c.err != nil {
		return c.err
	}
	pieces := pieces{}
	slices.SortFunc(c.removed, func(a, b *entry) int { return cmp.Compare(a.begin, b.begin) })
	for _, e := range c.removed {
		pieces.add(e, e)
	}
	for _, m := range c.added {
		pieces.assign(m, m.parent.old)
	}
	s.arrange(root)
	return nil
}

type comparer struct {
	removed []*entry // of the text
	added   []*entry // desired entries without an old one, in a value that exists
	err     error    // the first one
}

// compareValue compares an old value with the desired one in its place.
func (c *comparer) compareValue(n, w *node, depth int) {
	w.old = n
	switch {
	case n.hash == w.hash:
		w.isUnchanged = true
	case depth > maxChanged:
		c.reject(n, "what has to change is nested more than %d deep", maxChanged)
	case n.whyFixed != "":
		c.reject(n, "%s", n.whyFixed)
	case n.kind == scalar && w.kind == scalar:
		w.isRewritten = !n.inFlow() && (n.quote == '|' || yamldoc.SuitsLiteral(w.text))
	case n.kind != w.kind || len(n.entries) == 0 || len(w.entries) == 0:
		w.isRewritten = true
		c.removed = append(c.removed, n.entries...)
		c.added = append(c.added, w.entries...)
	default:
		for _, p := range c.pairEntries(n, w) {
			e, m := p.old, p.desired
			switch {
			case m == nil:
				c.removed = append(c.removed, e)
			case e == nil:
				c.added = append(c.added, m)
			default:
				m.oldEntry = e
				c.compareValue(e.value, m.value, depth+1)
			}
		}
	}
}

func (c *comparer) reject(n *node, format string, args ...any) {
	if c.err == nil {
		c.err = notInPlace(n.line, format, args...)
	}
}

// pairEntries pairs the entries of two collections of the same kind.
func (c *comparer) pairEntries(n, w *node) (all []pair) {
	switch {
	case n.kind == mapping:
	case len(n.entries) == len(w.entries):
		return pairItems(n.entries, w.entries, matchers)
	default:
		return pairItems(n.entries, w.entries, matchers[1:])
	}
	here, want := byKey(n.entries), byKey(w.entries)
	for _, m := range w.entries {
		all = append(all, pair{here[m.key], m})
	}
	for _, e := range n.entries {
		if here[e.key] == e && want[e.key] == nil {
			all = append(all, pair{e, nil})
		}
	}
	return all
}
