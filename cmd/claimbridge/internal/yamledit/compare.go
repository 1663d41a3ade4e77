package yamledit

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// compare says of every value that is wanted what is done about it.
func (s *source) compare(root *node) error {
	c := comparer{}
	c.value(s.root, root, 0)
	if c.err != nil {
		return c.err
	}
	l := pieces{}
	slices.SortFunc(c.gone, func(a, b *entry) int { return cmp.Compare(a.begin, b.begin) })
	for _, e := range c.gone {
		l.add(e, e)
	}
	for _, m := range c.news {
		l.assign(m, m.in.was)
	}
	s.arrange(root)
	return nil
}

type comparer struct {
	gone []*entry // of what is there
	news []*entry // wanted where nothing is, inside of a value that is there
	err  error    // the first one
}

// value compares what is there with what is wanted in its place.
func (c *comparer) value(n, w *node, depth int) {
	w.was = n
	switch {
	case n.hash == w.hash:
		w.same = true
	case depth > maxChanged:
		c.reject(n, "what has to change is nested more than %d deep", maxChanged)
	case n.closed != "":
		c.reject(n, "%s", n.closed)
	case n.kind == scalar && w.kind == scalar:
		w.isRewritten = !n.inFlow() && (n.quote == '|' || yamldoc.SuitsLiteral(w.text))
	case n.kind != w.kind || len(n.entries) == 0 || len(w.entries) == 0:
		w.isRewritten = true
		c.gone = append(c.gone, n.entries...)
		c.news = append(c.news, w.entries...)
	default:
		for _, p := range c.pairs(n, w) {
			e, m := p.here, p.wanted
			switch {
			case m == nil:
				c.gone = append(c.gone, e)
			case e == nil:
				c.news = append(c.news, m)
			default:
				m.kept = e
				c.value(e.value, m.value, depth+1)
			}
		}
	}
}

func (c *comparer) reject(n *node, format string, args ...any) {
	if c.err == nil {
		c.err = notInPlace(n.line, format, args...)
	}
}

// pairs of entries of two collections of one kind.
func (c *comparer) pairs(n, w *node) (all []pair) {
	switch {
	case n.kind == mapping:
	case len(n.entries) == len(w.entries):
		return pairs(n.entries, w.entries, ways)
	default:
		return pairs(n.entries, w.entries, ways[1:])
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
