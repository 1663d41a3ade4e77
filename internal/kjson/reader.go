package kjson

import "unicode/utf8"

// Reader reads parts of an object into their types, by functions that are generated from the types. It takes clean input
// only, which is what an API server sends: known members, each once, of the right type, in UTF-8. At anything else it fails,
// and [Decode] decides; so it need not know what an API server does then. Strings and raw values share memory with the text.
type Reader struct {
	scan Scanner
	data []byte
	// source is the same as data: strings that are read are parts of it.
	source string
	// name of the member whose value is next.
	name string
	// built is how much memory lists took so far.
	built uintptr
	arena *Arena
}

// NewReader makes a reader of a text that reads into memory of its own, which is never used again: for the few values that do
// not end with the object they came with. The text must not change as long as what is read is used.
func NewReader(text []byte) *Reader {
	return &Reader{scan: New(text), data: text, source: View(text)}
}

// Reader reads a text, which must not change as long as what is read is used. An arena has one reader: the next text ends
// the one before.
func (a *Arena) Reader(text []byte) *Reader {
	a.reader = Reader{scan: New(text), data: text, source: View(text), arena: a}
	return &a.reader
}

// Fail makes the reader stand still.
func (r *Reader) Fail() { r.scan.Fail() }

// Done reports whether the whole text was read, and was clean.
func (r *Reader) Done() bool { return r.scan.AtEnd() }

// First enters an object, or reads null, and reports whether there is a member, whose Name it reads.
func (r *Reader) First() bool { return !r.scan.Null() && r.scan.FirstMember() && r.plainName() }

// Next goes on to the next member.
func (r *Reader) Next() bool { return r.scan.NextMember() && r.plainName() }

func (r *Reader) plainName() bool {
	name := r.scan.Name()
	if name.Escaped {
		r.Fail()
		return false
	}
	r.name = r.source[name.Begin:name.End]
	return true
}

// Name of the member whose value is next.
func (r *Reader) Name() string { return r.name }

// Once fails when a member, which is one bit, was seen.
func (r *Reader) Once(seen *uint32, member uint32) {
	if *seen&member != 0 {
		r.Fail()
	}
	*seen |= member
}

// Text reads a string; null is the empty one.
func (r *Reader) Text() string {
	if r.scan.Null() {
		return ""
	}
	t := r.scan.String()
	if r.scan.Failed() {
		return ""
	}
	plain := r.source[t.Begin:t.End]
	if t.Foreign && !utf8.ValidString(plain) {
		r.Fail()
		return ""
	}
	if !t.Escaped {
		return plain
	}
	quoted := r.data[t.Begin-1 : t.End+1]
	if r.arena == nil {
		return r.decoded(AppendUnquoted(nil, quoted))
	}
	begin := len(r.arena.texts)
	texts, ok := AppendUnquoted(r.arena.texts, quoted)
	r.arena.texts = texts
	return r.decoded(texts[begin:], ok)
}

// decoded is a string that was decoded, and whether it is UTF-8.
func (r *Reader) decoded(text []byte, ok bool) string {
	if !ok {
		r.Fail()
	}
	return View(text)
}

// Bool reads true or false; null is false.
func (r *Reader) Bool() bool { return !r.scan.Null() && r.scan.Bool() }

// Int reads a whole number; null is 0.
func (r *Reader) Int() int64 {
	if r.scan.Null() {
		return 0
	}
	return r.scan.Int()
}

// RawOrNull reads any value as it is written.
func (r *Reader) RawOrNull() []byte { return r.scan.Value() }

// Raw reads any value as it is written; null is nil.
func (r *Reader) Raw() []byte {
	if r.scan.Null() {
		return nil
	}
	return r.RawOrNull()
}
