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
	// Comments is set to return comments that stand alone as documents, so that they can be written to the output.
	Comments bool

	file        string
	chunks      *chunks
	number      int
	json        *jsonReader // of the current chunk
	rereadBytes int         // bytes after errors that were read again
	err         error
}

// NewReader returns a reader of a stream. The name is for messages.
func NewReader(r io.Reader, name string) *Reader { return &Reader{file: name, chunks: newChunks(r)} }

// Next returns the next document. A *DocumentError is for a document that cannot be read; there may be more documents
// after it. The error is io.EOF at the end. Any other error is one of reading the stream. Documents without content are
// not counted.
func (r *Reader) Next() (*Document, error) {
	d, err := r.NextUnparsed()
	if err == nil {
		err = d.Parse()
	}
	return d, err
}

// NextUnparsed returns the next document like Next, and leaves most YAML unparsed. Call Parse before any other method
// of the document. While one goroutine finds documents, others can parse them.
func (r *Reader) NextUnparsed() (*Document, error) {
	for r.err == nil {
		if d, err := r.readNext(); d != nil || err != nil {
			return d, err
		}
	}
	return nil, r.err
}

// readNext returns the next document, or nil for a chunk without one.
func (r *Reader) readNext() (*Document, error) {
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

// readYAML reads a chunk of YAML. It returns nil if the chunk has no content.
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
	// A chunk that begins with a plain key is a document or an error. It never has an empty value, such as null, which
	// is not counted as a document.
	start, _ := r.chunks.r.Peek(64) // holds the names of most fields; Parse decides about longer ones
	isContent := !isMarker(head) && plainKeyPattern.Match(start)
	text, err := r.chunks.readRest(head)
	if errors.Is(err, errInputTooLarge) {
		r.err = fmt.Errorf("%s: %w", r.file, err)
		return nil, r.err
	}
	if err != nil {
		return nil, &DocumentError{d.Position, err}
	}
	d.end = r.chunks.offset
	d.Text = withLineEnd(text)
	if isContent {
		return d, nil
	}
	if err = d.Parse(); err == nil && d.Node == nil {
		r.number--
		return r.commentDocument(text), nil
	}
	return d, err
}

var directivePattern = regexp.MustCompile(`(?m)^%.*\n?`)

// commentDocument returns a document of comments, or nil if they are not wanted. Directives are removed, because they
// would apply to the next document.
func (r *Reader) commentDocument(text []byte) *Document {
	if !r.Comments || !hasComment(text) {
		return nil
	}
	text = directivePattern.ReplaceAll(text, nil)
	return &Document{Position: Position{File: r.file, Document: r.number}, IsComment: true, Text: withLineEnd(text)}
}

// withLineEnd returns a text whose last line ends like the others.
func withLineEnd(text []byte) []byte {
	switch {
	case len(text) == 0 || text[len(text)-1] == '\n':
		return text
	case bytes.Contains(text, []byte("\r\n")):
		text = append(text, '\r')
	}
	return append(text, '\n')
}

// nextJSON reads a document of a chunk of JSON. It returns nil at the end of the chunk.
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
	d.object = bytes.Clone(object)
	d.end = r.json.chunk.base + r.json.InputOffset()
	d.APIVersion, d.Kind = TypeOf(d.object)
	d.setKustomizeType()
	if len(d.object) > MaxDocument && !d.IsList() {
		return nil, &DocumentError{d.Position, errDocumentTooLarge}
	}
	return d, nil
}

// resume continues after JSON that cannot be read, at the next line that begins with a brace. An object begins there,
// because further lines of an object are indented or begin with a closing brace. Here the second object is read:
//
//	{"kind": "ResourceClaim", invalid}
//	{"kind": "ResourceClaim"}
//
// If an invalid object is not indented, reading may continue at an object within it.
//
// skipped is the number of unread bytes to skip. The total of bytes that are read again is limited to MaxDocument.
// Without a limit, a stream with an opening brace on each line would be read to its end from every line.
func (r *Reader) resume(err error, skipped int) {
	unread := append(r.json.UnreadBuffer(), r.json.chunk.pending...) // neither is used again
	unread = unread[min(skipped, len(unread)):]
	if i := bytes.Index(unread, []byte("\n{")); i >= 0 {
		reread := len(unread) - i // at an unexpected end, everything was read
		if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
			reread = max(int(e.ByteOffset-r.json.InputOffset())-skipped-i, 0)
		}
		r.rereadBytes += reread
		if r.rereadBytes > MaxDocument {
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
			break // at the end; the next call reports another error
		}
	}
	r.json = nil
}

// startJSON starts to read JSON. pending was read from the stream before.
func (r *Reader) startJSON(pending []byte) {
	chunk := &jsonChunk{chunks: r.chunks, pending: pending, base: r.chunks.offset - int64(len(pending))}
	r.json = newJSONReader(chunk, r.chunks.line-bytes.Count(pending, []byte("\n")))
	r.json.chunk = chunk
}
