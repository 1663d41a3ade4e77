package yamledit

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// compare decides for each desired value whether it is unchanged, edited, or rewritten, and where its text comes from.
func (s *source) compare(desired *node) error {
	c := comparer{source: s}
	c.compareValue(s.root, desired, 0)
	if c.err != nil {
		return c.err
	}
	movable := candidates{}
	slices.SortFunc(c.removed, func(a, b *entry) int { return cmp.Compare(a.begin, b.begin) })
	for _, e := range c.removed {
		movable.add(e, e)
	}
	for _, m := range c.added {
		movable.assign(m, m.parent.old)
	}
	s.arrange(desired)
	return nil
}

type comparer struct {
	source  *source
	removed []*entry // of the text
	added   []*entry // desired entries without an old one, in a value that exists
	err     error    // the first one
}

// compareValue compares an old value with the desired one in its place.
func (c *comparer) compareValue(old, desired *node, depth int) {
	desired.old = old
	switch {
	case old.hash == desired.hash:
		desired.isUnchanged = true
	case depth > maxChangeDepth:
		c.reject(old, "the field to change is nested more than %d levels deep", maxChangeDepth)
	case old.whyNotEditable != "":
		c.reject(old, "%s", old.whyNotEditable)
	case old.kind == scalar && desired.kind == scalar:
		desired.isRewritten = !old.inFlow() && (old.quote == '|' || yamldoc.SuitsLiteral(desired.text))
	case old.kind != desired.kind || len(old.entries) == 0 || len(desired.entries) == 0 || c.mustBecomeBlock(old):
		desired.isRewritten = true
		c.removed = append(c.removed, old.entries...)
		c.added = append(c.added, desired.entries...)
	default:
		for _, p := range pairEntries(old, desired) {
			oldEntry, desiredEntry := p.old, p.desired
			switch {
			case desiredEntry == nil:
				c.removed = append(c.removed, oldEntry)
			case oldEntry == nil:
				c.added = append(c.added, desiredEntry)
			default:
				desiredEntry.oldEntry = oldEntry
				c.compareValue(oldEntry.value, desiredEntry.value, depth+1)
			}
		}
	}
}

// mustBecomeBlock reports whether a value in brackets is rewritten in block style, because its comments would be lost.
func (c *comparer) mustBecomeBlock(old *node) bool {
	return c.source.flowToBlock && old.isFlow && len(c.source.commentsIn(old.begin, old.end)) > 0
}

func (c *comparer) reject(n *node, format string, args ...any) {
	if c.err == nil {
		c.err = notEditable(n.line, format, args...)
	}
}

// pairEntries pairs the entries of two collections of the same kind: those of mappings by their keys, and the items of
// sequences by their values, names and positions.
func pairEntries(old, desired *node) (all []pair) {
	if old.kind == sequence {
		return pairSequence(old.entries, desired.entries)
	}
	oldByKey, desiredByKey := byKey(old.entries), byKey(desired.entries)
	for _, m := range desired.entries {
		all = append(all, pair{oldByKey[m.key], m})
	}
	for _, e := range old.entries {
		if oldByKey[e.key] == e && desiredByKey[e.key] == nil {
			all = append(all, pair{e, nil})
		}
	}
	return all
}
