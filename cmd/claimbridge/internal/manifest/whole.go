package manifest

import (
	"bytes"
	"unicode/utf8"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// wholeJSON reads the next object of a chunk of JSON where all of it is in the buffer, is clean and is no list, as nearly
// all are. For anything else it returns nil and leaves the rest of the chunk to the decoder, which knows what to say of it.
func (r *Reader) wholeJSON() *Document {
	if !r.chunks.skipSpace() {
		r.inJSON = false
		return nil // the next chunk tells, if there is something to tell
	}
	object := r.chunks.object()
	if object == nil {
		r.inJSON = false
		r.readJSON(nil)
		return nil
	}
	r.number++
	d := &Document{Position: Position{File: r.file, Document: r.number, Line: r.chunks.line}, object: bytes.Clone(object)}
	d.APIVersion, d.Kind = TypeOf(object)
	r.chunks.pass(len(object), bytes.Count(object, []byte("\n")))
	return d
}

// skipSpace goes to the next token of a chunk of JSON, if there is one.
func (c *chunks) skipSpace() bool {
	for !c.atEnd() {
		ahead, err := c.r.Peek(1)
		if err != nil {
			return false
		}
		switch ahead[0] {
		case ' ', '\t', '\r':
			c.pass(1, 0)
		case '\n':
			c.pass(1, 1)
			c.cut = false
		default:
			return true
		}
	}
	return false
}

// pass over bytes that end within a line.
func (c *chunks) pass(n, lines int) {
	_, _ = c.r.Discard(n) // they are in the buffer
	c.line += lines
	c.cut = true
}

// object of JSON that begins here. It is nil when it is not all in the buffer, and for what only a decoder can judge.
func (c *chunks) object() []byte {
	for {
		ahead, _ := c.r.Peek(c.r.Buffered())
		if object := objectOf(ahead); object != nil || ahead[0] != '{' {
			return object
		}
		if more, _ := c.r.Peek(min(len(ahead)+1, c.r.Size())); len(more) <= len(ahead) {
			return nil
		}
	}
}

// objectOf gives the object at the beginning of a text.
func objectOf(text []byte) []byte {
	s := kjson.New(text)
	end := 0
	for more := s.FirstMember(); more; more = s.NextMember() {
		if name := text[s.Name().Begin:s.Name().End]; s.Name().Escaped || string(name) == "items" {
			return nil
		}
		_, end = s.Skip()
	}
	if s.Failed() {
		return nil
	}
	object := text[:end+bytes.IndexByte(text[end:], '}')+1]
	if !utf8.Valid(object) || bytes.Contains(object, []byte(`\ud`)) || bytes.Contains(object, []byte(`\uD`)) { // surrogates may be in pairs or not
		return nil
	}
	return object
}
