package kjson

import (
	"cmp"
	"slices"
	"strings"
)

// Canonical rewrites a JSON value so that values which the API server cannot tell apart are the
// same bytes: members sorted by the bytes of their names as encoding/json and so the API server
// sorts them, no white space, strings escaped as little as possible, and numbers as the API server
// keeps them. It is idempotent. It returns nil for what is not JSON, which here is as with the API
// server also what nests more than 10,000 deep.
//
// It reads once, and copies at most twice however deep the value nests: members that are out of
// order are remembered on the way, and only their positions are sorted.
func Canonical(value []byte) []byte { return canonical(value, false) }

// Ordered is [Canonical] but for numbers, which stay as they are written, with all their digits.
func Ordered(value []byte) []byte { return canonical(value, true) }

func canonical(value []byte, numbersAsWritten bool) []byte {
	c := canonicalText{Scanner: New(value), out: make([]byte, 0, len(value)), numbersAsWritten: numbersAsWritten}
	c.value()
	if !c.AtEnd() {
		return nil
	}
	if len(c.unsorted) == 0 {
		return c.out
	}
	slices.SortFunc(c.unsorted, func(a, b unsortedObject) int { return cmp.Compare(a.begin, b.begin) })
	return c.sorted(make([]byte, 0, len(c.out)), 0, len(c.out))
}

// CanonicalForm is [Canonical], or the value itself where it is canonical already. What is no JSON has no other form.
func CanonicalForm(value []byte) []byte { return formOf(value, Canonical) }

func orderedForm(value []byte) []byte { return formOf(value, Ordered) }

func formOf(value []byte, of func([]byte) []byte) []byte {
	if isCanonical(value) {
		return value
	}
	if form := of(value); form != nil {
		return form
	}
	return value
}

// canonicalText is a value on its way to be canonical.
type canonicalText struct {
	Scanner
	// numbersAsWritten leaves numbers alone.
	numbersAsWritten bool
	// out is canonical but for the order of members.
	out []byte
	// open are the members so far of the objects that are being read.
	open []placedMember
	// members of the objects that are not in order, which unsorted lists.
	members  []placedMember
	unsorted []unsortedObject
}

// placedMember is where a member stands in the text. Its name is decoded once, and not for each comparison.
type placedMember struct {
	name       string
	begin, end int
}

// unsortedObject is where an object stands, with its members in order.
type unsortedObject struct {
	begin, end int
	members    []placedMember
}

func (c *canonicalText) value() {
	switch {
	case c.Is('{'):
		c.object()
	case c.Is('['):
		c.array()
	case c.Is('"'):
		c.text(c.String())
	default:
		begin, end := c.Skip()
		if word := c.data[begin:end]; c.Failed() || c.numbersAsWritten || word[0] >= 'a' { // true, false and null
			c.out = append(c.out, word...)
		} else {
			c.out = appendNumber(c.out, word)
		}
	}
}

// text is written, and given decoded.
func (c *canonicalText) text(t Text) string {
	if c.Failed() {
		return ""
	}
	if !t.Escaped && !t.Foreign {
		c.out = append(c.out, c.data[t.Begin-1:t.End+1]...)
		return View(c.data[t.Begin:t.End])
	}
	unquoted, _ := AppendUnquoted(nil, c.data[t.Begin-1:t.End+1])
	c.out = AppendQuoted(c.out, View(unquoted))
	return View(unquoted)
}

func (c *canonicalText) array() {
	c.out = append(c.out, '[')
	for more := c.FirstElement(); more; {
		c.value()
		if more = c.NextElement(); more {
			c.out = append(c.out, ',')
		}
	}
	c.out = append(c.out, ']')
}

func (c *canonicalText) object() {
	begin, first, inOrder := len(c.out), len(c.open), true
	c.out = append(c.out, '{')
	for more := c.FirstMember(); more; {
		at, slot := len(c.out), len(c.open)
		c.open = append(c.open, placedMember{name: c.text(c.Name()), begin: at})
		inOrder = inOrder && (slot == first || byName(c.open[slot-1], c.open[slot]) <= 0)
		c.out = append(c.out, ':')
		c.value()
		c.open[slot].end = len(c.out)
		if more = c.NextMember(); more {
			c.out = append(c.out, ',')
		}
	}
	c.out = append(c.out, '}')
	if !inOrder && !c.Failed() {
		at := len(c.members)
		c.members = append(c.members, c.open[first:]...)
		slices.SortStableFunc(c.members[at:], byName)
		c.unsorted = append(c.unsorted, unsortedObject{begin, len(c.out), c.members[at:]})
	}
	c.open = c.open[:first]
}

func byName(a, b placedMember) int { return strings.Compare(a.name, b.name) }

// sorted appends a part of the text with the members of objects in order.
func (c *canonicalText) sorted(out []byte, from, to int) []byte {
	for {
		i, _ := slices.BinarySearchFunc(c.unsorted, from, func(o unsortedObject, at int) int {
			return cmp.Compare(o.begin, at)
		})
		if i == len(c.unsorted) || c.unsorted[i].begin >= to {
			return append(out, c.out[from:to]...)
		}
		object := c.unsorted[i]
		out = append(out, c.out[from:object.begin+1]...)
		for n, m := range object.members {
			if n > 0 {
				out = append(out, ',')
			}
			out = c.sorted(out, m.begin, m.end)
		}
		out = append(out, '}')
		from = object.end
	}
}
