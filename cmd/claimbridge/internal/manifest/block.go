package manifest

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// maxSimpleKey is how long a key may be that the library writes before its colon, and not behind a question mark.
const maxSimpleKey = 128

// block writes JSON as a block of YAML, just as the library does, but without making nodes of it. What needs more than
// a glance goes to the library: texts of several lines or of other than ASCII, and entries with long keys.
type block struct {
	scan kjson.Scanner
	data []byte
	out  []byte
	text []byte // a string without its escapes
}

// document writes an object or an array that is all of the text.
func (b *block) document() {
	if !b.scan.Is('{') && !b.scan.Is('[') {
		b.scan.Fail()
	}
	b.value(-2, true)
}

// value writes the next value: behind a key of a mapping at a column, or behind a dash at it.
func (b *block) value(column int, inSequence bool) {
	switch {
	case b.scan.Is('{'):
		b.mapping(column, inSequence)
		return
	case b.scan.Is('['):
		b.sequence(column, inSequence)
		return
	}
	raw := b.raw()
	if b.scan.Failed() {
		return
	}
	if raw[0] != '"' { // numbers keep their digits; true, false and null are the same in both
		b.out = append(append(b.out, raw...), '\n')
		return
	}
	text, style := b.styled(raw)
	if style == otherText {
		b.library(column, "a: ", []byte(`"a"`), raw)
		return
	}
	b.out = append(appendStyled(b.out, text, style), '\n')
}

// raw reads the next value as it is.
func (b *block) raw() []byte {
	begin, end := b.scan.Skip()
	return b.data[begin:end]
}

func (b *block) mapping(column int, inSequence bool) {
	more := b.scan.FirstMember()
	if !more {
		b.out = append(b.out, "{}\n"...)
		return
	}
	b.open(inSequence)
	for first := inSequence; more; more = b.scan.NextMember() {
		if !first {
			b.indent(column + 2)
		}
		first = false
		b.entry(column+2, b.data[b.scan.Name().Begin-1:b.scan.Name().End+1])
	}
}

func (b *block) entry(column int, quoted []byte) {
	key, style := b.styled(quoted)
	if style == otherText || len(key) > maxSimpleKey {
		b.library(column, "", quoted, b.raw())
		return
	}
	b.out = append(appendStyled(b.out, key, style), ": "...)
	b.value(column, false)
}

// sequence is written at the column of the mapping that it is in.
func (b *block) sequence(column int, inSequence bool) {
	more := b.scan.FirstElement()
	if !more {
		b.out = append(b.out, "[]\n"...)
		return
	}
	b.open(inSequence)
	if inSequence {
		column += 2
	}
	for first := inSequence; more; more = b.scan.NextElement() {
		if !first {
			b.indent(column)
		}
		first = false
		b.out = append(b.out, "- "...)
		b.value(column, true)
	}
}

// open goes to the next line for what is in a mapping. The space behind the key is not needed then.
func (b *block) open(inSequence bool) {
	if !inSequence {
		b.out = append(bytes.TrimSuffix(b.out, []byte(" ")), '\n')
	}
}

func (b *block) indent(column int) {
	for range column {
		b.out = append(b.out, ' ')
	}
}

// styled gives a string without its quotes and escapes, valid until the next call, and its style.
func (b *block) styled(quoted []byte) (text []byte, style textStyle) {
	text = quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		var ok bool
		if b.text, ok = kjson.AppendUnquoted(b.text[:0], quoted); !ok {
			return nil, otherText
		}
		text = b.text
	}
	return text, styleOf(text)
}

// library writes an entry of a mapping at a column where a line is begun already, without some text at its beginning.
func (b *block) library(column int, without string, key, value []byte) {
	var text bytes.Buffer
	if err := writeByLibrary(&text, bytes.Join([][]byte{{'{'}, key, {':'}, value, {'}'}}, nil)); err != nil {
		b.scan.Fail()
	}
	for i, line := range bytes.SplitAfter(bytes.TrimPrefix(text.Bytes(), []byte(without)), []byte("\n")) {
		if i > 0 && len(line) > 1 { // empty lines of a text are not indented
			b.indent(column)
		}
		b.out = append(b.out, line...)
	}
}
