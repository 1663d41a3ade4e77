package objectjson

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Canonical returns a JSON value in a form that is the same for all values that an API server does not distinguish:
// members are sorted by the bytes of their names, as encoding/json and so the API server sorts them, there is no white
// space, strings have as few escapes as possible, and numbers are those that the API server keeps. It is idempotent. It
// returns nil if the value is not JSON or, as with an API server, is nested more than 10,000 levels deep.
//
// It reads the value once and copies it at most twice, however deep it is: it records the members of unsorted objects
// while it reads, and sorts only their positions.
func Canonical(value []byte) []byte { return canonical(value, false) }

// CanonicalWithDigits is [Canonical], but numbers are unchanged and keep all their digits.
func CanonicalWithDigits(value []byte) []byte { return canonical(value, true) }

func canonical(value []byte, keepNumbers bool) []byte {
	c := canonicalText{Scanner: NewScanner(value), out: make([]byte, 0, len(value)), keepNumbers: keepNumbers}
	c.value()
	if !c.AtEnd() {
		return nil
	}
	if len(c.unsorted) == 0 {
		return c.out
	}
	slices.SortFunc(c.unsorted, func(a, b unsortedObject) int { return cmp.Compare(a.begin, b.begin) })
	return c.appendSorted(make([]byte, 0, len(c.out)), span{0, len(c.out)})
}

// CanonicalOrSame is [Canonical], but returns the value itself if it is not JSON.
func CanonicalOrSame(value []byte) []byte {
	if form := Canonical(value); form != nil {
		return form
	}
	return value
}

// canonicalText is a value whose canonical form is being written.
type canonicalText struct {
	Scanner
	// keepNumbers leaves numbers unchanged.
	keepNumbers bool
	// out is canonical except for the order of members.
	out []byte
	// open has the members of the objects that are being read, and names has their decoded names.
	open  []openMember
	names []byte
	// unsorted has the objects whose members are not in order, and members has the members of these objects in order.
	unsorted []unsortedObject
	members  []span
}

// span of a text.
type span struct{ begin, end int }

// openMember has the positions of a name in canonicalText.names and of a member in canonicalText.out.
type openMember struct{ name, text span }

// unsortedObject has the positions of an object in canonicalText.out and of its members in canonicalText.members.
type unsortedObject struct {
	span
	members span
}

func (c *canonicalText) value() {
	switch {
	case c.Is('{'):
		c.object()
	case c.Is('['):
		c.array()
	case c.Is('"'):
		c.text(c.ReadString())
	default:
		begin, end := c.Skip()
		if word := c.data[begin:end]; c.Failed() || c.keepNumbers || word[0] >= 'a' { // true, false and null
			c.out = append(c.out, word...)
		} else {
			c.out = appendNumber(c.out, word)
		}
	}
}

// text appends a string and returns its content.
func (c *canonicalText) text(s StringSpan) []byte {
	if c.Failed() {
		return nil
	}
	text, quoted := c.data[s.Begin:s.End], c.data[s.Begin-1:s.End+1]
	if s.HasEscapes || s.HasNonASCII && !utf8.Valid(text) {
		text, _ = AppendUnquoted(nil, quoted)
		c.out = AppendQuoted(c.out, string(text))
		return text
	}
	c.out = append(c.out, quoted...)
	return text
}

func (c *canonicalText) array() {
	c.out = append(c.out, '[')
	for i := range c.Elements() {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.value()
	}
	c.out = append(c.out, ']')
}

func (c *canonicalText) object() {
	begin := len(c.out)
	first, firstName := len(c.open), len(c.names)
	c.out = append(c.out, '{')
	for more := c.FirstMember(); more; {
		member := openMember{name: span{begin: len(c.names)}, text: span{begin: len(c.out)}}
		c.names = append(c.names, c.text(c.Name())...)
		member.name.end = len(c.names)
		c.out = append(c.out, ':')
		c.value()
		member.text.end = len(c.out)
		c.open = append(c.open, member)
		if more = c.NextMember(); more {
			c.out = append(c.out, ',')
		}
	}
	c.out = append(c.out, '}')
	if members := c.open[first:]; !c.Failed() && !slices.IsSortedFunc(members, c.byName) {
		slices.SortStableFunc(members, c.byName)
		object := unsortedObject{span: span{begin, len(c.out)}, members: span{begin: len(c.members)}}
		for _, m := range members {
			c.members = append(c.members, m.text)
		}
		object.members.end = len(c.members)
		c.unsorted = append(c.unsorted, object)
	}
	c.open, c.names = c.open[:first], c.names[:firstName]
}

func (c *canonicalText) byName(a, b openMember) int {
	return bytes.Compare(c.names[a.name.begin:a.name.end], c.names[b.name.begin:b.name.end])
}

// appendSorted appends a part of c.out with the members of objects in order.
func (c *canonicalText) appendSorted(out []byte, part span) []byte {
	for {
		i, _ := slices.BinarySearchFunc(c.unsorted, part.begin, func(o unsortedObject, at int) int {
			return cmp.Compare(o.begin, at)
		})
		if i == len(c.unsorted) || c.unsorted[i].begin >= part.end {
			return append(out, c.out[part.begin:part.end]...)
		}
		object := c.unsorted[i]
		out = append(out, c.out[part.begin:object.begin+1]...)
		for n, member := range c.members[object.members.begin:object.members.end] {
			if n > 0 {
				out = append(out, ',')
			}
			out = c.appendSorted(out, member)
		}
		out = append(out, '}')
		part.begin = object.end
	}
}

// appendNumber appends a number as an API server keeps it: as an int64 if it is one, otherwise as a float64.
func appendNumber(out, text []byte) []byte {
	number := string(text)
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return strconv.AppendInt(out, n, 10)
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil { // out of range: an API server rejects it
		return append(out, number...)
	}
	if f == 0 { // also -0.0: an API server writes it as -0, which it reads as the integer 0
		return append(out, '0')
	}
	if abs := math.Abs(f); 1e-6 <= abs && abs < 1e21 { // as encoding/json, and so the API server, writes it
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(out, f, 'e', -1, 64)
}
