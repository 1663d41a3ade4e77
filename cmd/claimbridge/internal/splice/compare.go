package splice

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// maxChanged is how deep something may be nested that changes. The deepest field of a claim in a list that a conversion changes is
// ten levels down.
const maxChanged = 100

// compare says of every value that is wanted what is done about it, and reports whether words of the text are lost by that, but for its
// version.
func (s *source) compare(root *node) (lost bool, err error) {
	c := comparer{}
	if err := c.value(s.root, root, 0); err != nil {
		return false, err
	}
	l := index(c.gone)
	for _, n := range c.news {
		l.give(n.wanted, n.inside)
	}
	s.arrange(s.root, root)
	for _, e := range l.moved {
		moved := s.commentsIn(e.begin, e.end)
		for i := range moved {
			moved[i].moved = true
		}
	}
	return c.lost || slices.ContainsFunc(c.gone, (*entry).isLost), nil
}

type comparer struct {
	gone []*entry
	news []newMember
	lost bool // words that are said in another way in their place
}

// newMember is wanted where nothing is, inside of a value that stays.
type newMember struct {
	wanted *entry
	inside *node
}

// value compares what is there with what is wanted in its place.
func (c *comparer) value(n, w *node, depth int) error {
	why := n.closed
	switch {
	case n.hash == w.hash && n.target().kind == w.kind:
		w.same = true
		return nil
	case n.kind == alias:
		why = "an alias stands for something that has to change here"
	case depth > maxChanged:
		why = fmt.Sprintf("what has to change is nested more than %d deep", maxChanged)
	}
	switch {
	case why != "":
		return &NotInPlaceError{Reason: why, Line: n.line}
	case n.kind == scalar && w.kind == scalar:
		w.anew = !n.inFlow() && (n.quote == '|' || manifest.SuitsLiteral(w.text))
		return nil
	case n.kind != w.kind || len(n.entries) == 0 || len(w.entries) == 0:
		w.anew = true
		c.lost = c.lost || n.kind == scalar
		c.takeOut(n.entries...)
		c.add(n, w.entries...)
		return nil
	case n.kind == sequence:
		return c.items(n, n.entries, w.entries, ways, depth+1)
	}
	return c.mapping(n, w, depth+1)
}

// pair what is there with what is wanted in its place.
func (c *comparer) pair(e, m *entry, depth int) error {
	m.kept, e.silent = e, false
	c.lost = c.lost || e.value.kind == scalar && e.value.hash != m.value.hash && m.key != "apiVersion"
	return c.value(e.value, m.value, depth)
}

// isLost reports whether an entry that is gone says something that did not move.
func (e *entry) isLost() bool {
	return !e.whole && (len(e.value.entries) == 0 || slices.ContainsFunc(e.value.entries, (*entry).isLost))
}

func (c *comparer) takeOut(entries ...*entry) {
	for _, e := range entries {
		e.gone = true
	}
	c.gone = append(c.gone, entries...)
}

func (c *comparer) add(inside *node, members ...*entry) {
	for _, m := range members {
		c.news = append(c.news, newMember{m, inside})
	}
}

func (c *comparer) mapping(n, w *node, depth int) error {
	here, want := byKey(n.entries), byKey(w.entries)
	for _, b := range n.brought {
		m := want[b.key]
		switch {
		case m == nil:
			return &NotInPlaceError{Reason: fmt.Sprintf("a merge key brings in %.100s, which has to go here", b.key), Line: n.line}
		case m.value.hash != b.value.hash:
			return &NotInPlaceError{Reason: fmt.Sprintf("a merge key brings in %.100s, which has to change here", b.key), Line: n.line}
		}
		m.merged = true
	}
	for _, m := range w.entries {
		if e := here[m.key]; e != nil {
			delete(here, m.key)
			if err := c.pair(e, m, depth); err != nil {
				return err
			}
		} else if !m.merged {
			c.add(n, m)
		}
	}
	for _, e := range n.entries { // in their order
		if here[e.key] == e && !e.silent {
			c.takeOut(e)
		}
	}
	return nil
}

// byKey gives entries but merge keys.
func byKey(entries []*entry) map[string]*entry {
	all := make(map[string]*entry, len(entries))
	for _, e := range entries {
		if !e.merge {
			all[e.key] = e
		}
	}
	return all
}

// ways to tell that two items are the same one: they give the same of both, and it is not 0.
var ways = []func(n *node) uint64{func(n *node) uint64 { return n.hash }, nameOf}

// items of a sequence are paired: those that are equal, between these those of the same name, and between these by their places. The pairs
// are in the same order on both sides.
func (c *comparer) items(n *node, entries, members []*entry, ways []func(n *node) uint64, depth int) error {
	if len(ways) == 0 {
		return c.inPlace(n, entries, members, depth)
	}
	places := map[uint64][]int{}
	for i, e := range entries {
		what := ways[0](e.value)
		places[what] = append(places[what], i)
	}
	from, at := 0, 0 // the first that are not paired yet
	for i, m := range members {
		what := ways[0](m.value)
		list := places[what]
		for len(list) > 0 && list[0] < at {
			list = list[1:]
		}
		if places[what] = list; len(list) == 0 || what == 0 {
			continue
		}
		if err := c.items(n, entries[at:list[0]], members[from:i], ways[1:], depth); err != nil {
			return err
		}
		if err := c.pair(entries[list[0]], m, depth); err != nil {
			return err
		}
		from, at = i+1, list[0]+1
	}
	return c.items(n, entries[at:], members[from:], ways[1:], depth)
}

// inPlace pairs items one by one, those of one kind that have not both a name.
func (c *comparer) inPlace(n *node, entries, members []*entry, depth int) error {
	for _, m := range members {
		if len(entries) == 0 || entries[0].value.kind != m.value.kind || nameOf(entries[0].value) != 0 && nameOf(m.value) != 0 {
			c.add(n, m)
			continue
		}
		if err := c.pair(entries[0], m, depth); err != nil {
			return err
		}
		entries = entries[1:]
	}
	c.takeOut(entries...)
	return nil
}

// nameOf an item that is a mapping with a name: its hash, else 0.
func nameOf(n *node) uint64 {
	for _, e := range n.entries {
		if e.key == "name" && e.value.kind == scalar {
			return e.value.hash
		}
	}
	return 0
}
