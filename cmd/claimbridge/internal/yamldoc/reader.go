package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader reads the documents of a stream.
type Reader struct {
	// Comments that stand by themselves are documents, too, where it is set: what is written can have them then.
	Comments bool

	file        string
	chunks      *chunks
	number      int
	json        *jsonReader // of a chunk
	rereadBytes int         // bytes that were read in vain, and again from their second line
	err         error
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
	return d, err
}

// Find is Next, but leaves most YAML unparsed. Parse must be called before anything else is asked of the document: by
// then others may be found, so that documents can be parsed at the same time.
func (r *Reader) Find() (*Document, error) {
	for r.err == nil {
		if d, err := r.find(); d != nil || err != nil {
			return d, err
		}
	}
	return nil, r.err
}

// find is nil where something says nothing.
func (r *Reader) find() (*Document, error) {
	if r.json != nil {
		return r.nextJSON()
	}
	head, what, err := r.chunks.next()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		r.err = fmt.Errorf("%s: %w", r.file, err)
	case err != nil:
		r.err = err
	case what == commentContent:
		return r.commentDocument(head), nil
	case what == yamlContent:
		return r.readYAML(head)
	default:
		r.startJSON(nil)
	}
	return nil, r.err
}

// yaml reads a chunk of YAML. It is nil when the chunk says nothing.
func (r *Reader) readYAML(head []byte) (*Document, error) {
	r.number++
	begin := r.chunks.line - bytes.Count(head, []byte("\n"))
	d := &Document{
		Position:  Position{File: r.file, Document: r.number, Line: r.chunks.line},
		FirstLine: begin,
		begin:     r.chunks.offset - int64(len(head)),
	}
	if isMarker(head) {
		d.Line = begin
	}
	// What begins with a plain key of a mapping is a document, or an error, but never one of those
	// that say nothing, like a lone null.
	start, _ := r.chunks.r.Peek(64) // room for the names of most fields; for others the parser finds out
	counts := !isMarker(head) && plainKey.Match(start)
	text, err := r.chunks.readRest(head)
	if errors.Is(err, errInputTooLarge) {
		r.err = fmt.Errorf("%s: %w", r.file, err)
		return nil, r.err
	}
	if err != nil {
		return nil, &DocumentError{d.Position, err}
	}
	d.end = r.chunks.offset
	if d.Text = withLineEnd(text); counts {
		return d, nil
	}
	if err = d.Parse(); err == nil && d.Node == nil {
		r.number--
		return r.commentDocument(text), nil
	}
	return d, err
}

var directive = regexp.MustCompile(`(?m)^%.*\n?`)

// comment is a document of those alone, nil where they are not asked for. Directives would be those
// of the document behind it.
func (r *Reader) commentDocument(text []byte) *Document {
	if !r.Comments || !hasComment(text) {
		return nil
	}
	text = directive.ReplaceAll(text, nil)
	return &Document{Position: Position{File: r.file, Document: r.number}, IsComment: true, Text: withLineEnd(text)}
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

// nextJSON reads a document of a chunk of JSON. It is nil at the end of the chunk, and where what is wrong was told.
func (r *Reader) nextJSON() (*Document, error) {
	kind := r.json.PeekKind()
	if kind == 0 {
		if _, err := r.json.ReadToken(); errors.Is(err, io.EOF) {
			r.json = nil
			return nil, nil
		}
	}
	r.number++
	begin, line := r.json.peek()
	d := &Document{Position: Position{File: r.file, Document: r.number, Line: line}, begin: r.json.chunk.base + begin}
	if kind != '{' && kind != 0 {
		err := errors.New("is not an object")
		r.resume(err, 0)
		return nil, &DocumentError{d.Position, err}
	}
	object, _, err := r.json.value()
	if err != nil {
		gap := int(begin - r.json.InputOffset())
		r.resume(err, gap+1)
		return nil, &DocumentError{d.Position, plainError(err)}
	}
	d.object, d.end = bytes.Clone(object), r.json.chunk.base+r.json.InputOffset()
	d.APIVersion, d.Kind = TypeOf(d.object)
	d.setKustomizeType()
	if len(d.object) > MaxDocument && !d.IsList() {
		return nil, &DocumentError{d.Position, errDocumentTooLarge}
	}
	return d, nil
}

// resume goes on after JSON that cannot be read, at the next line that begins with a brace: there
// an object begins, whether each is written on a line of its own or on many, unless it is within
// what cannot be read. Together no more is read again than a document may have: of braces alone
// each line would be the beginning of all that follow. So many bytes that are not read yet are
// skipped.
func (r *Reader) resume(err error, skipped int) {
	unread := append(r.json.UnreadBuffer(), r.json.chunk.pending...) // neither is used any more
	unread = unread[min(skipped, len(unread)):]
	if i := bytes.Index(unread, []byte("\n{")); i >= 0 {
		again := len(unread) - i
		if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
			again = max(int(e.ByteOffset-r.json.InputOffset())-skipped-i, 0)
		}
		if r.rereadBytes += again; r.rereadBytes > MaxDocument {
			r.err = fmt.Errorf("%s: %w", r.file, errTooMuchInvalidJSON)
			return
		}
		r.startJSON(unread[i+1:])
		return
	}
	for !r.chunks.atEnd() {
		if start, _ := r.chunks.r.Peek(1); !r.chunks.isPartialLine && start[0] == '{' {
			r.startJSON(nil)
			return
		}
		if _, err := r.chunks.readLine(); err != nil {
			break // at the end, or for the next document to tell
		}
	}
	r.json = nil
}

// readJSON begins to read JSON; part of it was read before.
func (r *Reader) startJSON(pending []byte) {
	chunk := &jsonChunk{chunks: r.chunks, pending: pending, base: r.chunks.offset - int64(len(pending))}
	r.json = newJSONReader(chunk, r.chunks.line-bytes.Count(pending, []byte("\n")))
	r.json.chunk = chunk
}
