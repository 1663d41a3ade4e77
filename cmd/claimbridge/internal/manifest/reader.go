package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader reads the documents of a stream.
type Reader struct {
	// Comments that stand by themselves are documents, too, where it is set: what is written can have them then.
	Comments bool

	file   string
	chunks *chunks
	number int
	json   *jsonChunk // while a decoder reads a chunk
	dec    *jsontext.Decoder
	open   *List // of the document before
	err    error
}

// NewReader of a stream. The name is for messages.
func NewReader(r io.Reader, name string) *Reader { return &Reader{file: name, chunks: newChunks(r)} }

// Next document. A *DocumentError stands for a document that cannot be read, there may be more after it; at the end it
// is io.EOF; any other error is one of reading the stream. Documents without content do not count.
func (r *Reader) Next() (*Document, error) {
	d, err := r.Find()
	if err == nil {
		err = d.Parse()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Find is Next, but leaves most YAML unparsed. Parse must be called before anything else is asked of the document: by
// then others may be found, so that documents can be parsed at the same time.
func (r *Reader) Find() (*Document, error) {
	for r.err == nil {
		if r.dec != nil {
			d, err := r.nextJSON()
			if d != nil || err != nil {
				return d, err
			}
			continue
		}
		head, is, err := r.chunks.next()
		if err != nil {
			r.err = err
			if !errors.Is(err, io.EOF) {
				r.err = fmt.Errorf("%s: %w", r.file, err)
			}
			break
		}
		switch is {
		case isComment:
			if d := r.comment(head); d != nil {
				return d, nil
			}
		case isJSON:
			r.readJSON(nil)
		case isYAML:
			if d, err := r.yaml(head); d != nil || err != nil {
				return d, err
			}
		}
	}
	return nil, r.err
}

// yaml reads a chunk of YAML. It is nil when the chunk says nothing.
func (r *Reader) yaml(head []byte) (*Document, error) {
	begin := r.chunks.line - bytes.Count(head, []byte("\n"))
	d := &Document{Position: Position{File: r.file, Document: r.number + 1, Line: r.chunks.line}, first: begin, begin: r.chunks.offset - int64(len(head))}
	if isMarker(head) {
		d.Line = begin
	}
	counts := !isMarker(head) && r.chunks.atKey()
	text, err := r.chunks.rest(head)
	if err != nil {
		r.number++
		return nil, &DocumentError{d.Position, err}
	}
	d.end = r.chunks.offset
	d.text = withLineEnd(text)
	if counts {
		r.number++
		return d, nil
	}
	err = d.Parse()
	if err == nil && d.node == nil {
		return r.comment(text), nil
	}
	r.number++
	return d, err
}

// comment is a document of those alone, nil where they are not asked for. Directives would be those of the document behind it.
func (r *Reader) comment(text []byte) *Document {
	if !r.Comments || !hasComment(text) {
		return nil
	}
	var comments []byte
	for line := range bytes.Lines(text) {
		if line[0] != '%' {
			comments = append(comments, line...)
		}
	}
	return &Document{Position: Position{File: r.file, Document: r.number}, IsComment: true, text: withLineEnd(comments)}
}

// withLineEnd is a text whose last line ends as the others do.
func withLineEnd(text []byte) []byte {
	switch {
	case len(text) == 0 || text[len(text)-1] == '\n':
		return text
	case bytes.Contains(text, []byte("\r\n")):
		text = append(text, '\r')
	}
	return append(text, '\n')
}

// nextJSON reads a document of a chunk of JSON. It is nil at the end of the chunk.
func (r *Reader) nextJSON() (*Document, error) {
	if r.open != nil {
		r.open.drain()
		complete := r.open.complete
		if r.open = nil; !complete {
			if r.resume(); r.dec == nil {
				return nil, nil
			}
		}
	}
	more := func() { r.json.allow = r.json.given + MaxDocument }
	more()
	kind := r.dec.PeekKind()
	if kind == 0 && r.ended() {
		r.dec, r.json = nil, nil
		return nil, nil
	}
	r.number++
	// What Peek looked at begins where the unread bytes do, white space and all.
	unread := r.dec.UnreadBuffer()
	start := r.dec.InputOffset() + int64(len(unread)-len(bytes.TrimLeft(unread, " \t\r\n")))
	d := &Document{Position: Position{File: r.file, Document: r.number, Line: r.json.lineOf(start)}, begin: r.json.base + start, base: r.json.base}
	if kind != '{' && kind != 0 {
		r.resume()
		return nil, &DocumentError{d.Position, errors.New("is not an object")}
	}
	o, err := readObject(r.dec, "", more)
	if err != nil {
		r.resume()
		return nil, &DocumentError{d.Position, plain(err)}
	}
	if o.list == nil {
		d.end = r.json.base + r.dec.InputOffset()
		d.object = o.raw
		d.APIVersion, d.Kind = TypeOf(o.raw)
		d.kustomized()
		return d, nil
	}
	o.list.position, o.list.line, o.list.at = d.Position, r.json.lineOf, d.Line
	d.list, r.open = o.list, o.list
	d.APIVersion, d.Kind = o.list.APIVersion, o.list.Kind
	return d, nil
}

// ended reports whether nothing is left of the chunk.
func (r *Reader) ended() bool {
	_, err := r.dec.ReadToken()
	return errors.Is(err, io.EOF)
}

// resume goes on after JSON that cannot be read, at the next line that begins with a brace: there an object begins,
// whether each is written on a line of its own or on many.
func (r *Reader) resume() {
	unread := append(r.dec.UnreadBuffer(), r.json.part...) // neither is used any more
	if i := bytes.Index(unread, []byte("\n{")); i >= 0 {
		r.readJSON(unread[i+1:])
		return
	}
	for !r.chunks.atEnd() {
		if start, _ := r.chunks.r.Peek(1); !r.chunks.cut && start[0] == '{' {
			r.readJSON(nil)
			return
		}
		if _, err := r.chunks.readLine(); err != nil {
			break // at the end, or for the next document to tell
		}
	}
	r.dec, r.json = nil, nil
}

// readJSON begins to read JSON; part of it was read before.
func (r *Reader) readJSON(part []byte) {
	r.json = &jsonChunk{
		chunks: r.chunks, part: part,
		base: r.chunks.offset - int64(len(part)), before: r.chunks.line - 1 - bytes.Count(part, []byte("\n")),
	}
	r.dec = jsontext.NewDecoder(r.json, jsontext.AllowDuplicateNames(true))
}
