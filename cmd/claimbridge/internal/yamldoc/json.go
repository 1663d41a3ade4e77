package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// TypeOf a JSON object, as far as it says.
func TypeOf(raw []byte) (apiVersion, kind string) {
	s := objectjson.NewScanner(raw)
	for name, value := range s.Values() {
		switch name {
		case "apiVersion":
			apiVersion = strings.Clone(objectjson.StringOf(value))
		case "kind":
			kind = strings.Clone(objectjson.StringOf(value))
		}
		if apiVersion != "" && kind != "" {
			break
		}
	}
	return apiVersion, kind
}

// jsonReader reads JSON token by token or value by value, and knows on which line it is.
type jsonReader struct {
	*jsontext.Decoder
	line  int        // of what was read last
	chunk *jsonChunk // nil in memory
}

func newJSONReader(r io.Reader, line int) *jsonReader {
	return &jsonReader{Decoder: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), line: line}
}

// next is where the next token or value begins, and on which line.
func (r *jsonReader) peek() (offset int64, line int) {
	r.PeekKind()
	between := " \t\r\n,:"
	if r.StackDepth() == 0 {
		between = " \t\r\n"
	}
	unread := r.UnreadBuffer() // which begins behind what was read last
	gap := len(unread) - len(bytes.TrimLeft(unread, between))
	return r.InputOffset() + int64(gap), r.line + bytes.Count(unread[:gap], []byte("\n"))
}

func (r *jsonReader) token() (jsontext.Token, error) {
	_, r.line = r.peek()
	return r.ReadToken()
}

// value is valid until the next read.
func (r *jsonReader) value() (value jsontext.Value, line int, err error) {
	_, line = r.peek()
	value, err = r.ReadValue()
	r.line = line + bytes.Count(value, []byte("\n"))
	return value, line, err
}

// member of an object, without its value where that is left to the caller.
func (r *jsonReader) member(skipValue func(name string) bool) (m objectjson.Member, err error) {
	name, err := r.token()
	if m.Name = name.String(); err == nil && (skipValue == nil || !skipValue(m.Name)) {
		m.Value, _, err = r.value()
		m.Value = bytes.Clone(m.Value)
	}
	return m, err
}

// jsonChunk reads the rest of a chunk as an io.Reader for a decoder.
type jsonChunk struct {
	*chunks
	base    int64  // offset of the chunk in the stream
	pending []byte // read but not delivered
}

// Read implements io.Reader.
func (c *jsonChunk) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(c.pending) == 0 {
			if n > 0 && c.r.Buffered() == 0 {
				return n, nil // rather give what is there than wait for a slow pipe
			}
			if c.atEnd() {
				break
			}
			if c.pending, err = c.readLine(); err != nil {
				return n, err
			}
		}
		m := copy(p[n:], c.pending)
		c.pending = c.pending[m:]
		n += m
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// plain words for what the decoder has to say, without a quote from the input.
func plainError(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errInputTooLarge):
		return errInputTooLarge
	case !errors.As(err, &syntax):
		return err
	}
	why := ": " + syntax.Err.Error()
	what := "is not JSON"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		what, why = "ends before the object does", ""
	}
	if path := strings.ReplaceAll(string(syntax.JSONPointer), "/", "."); path != "" {
		what += fmt.Sprintf(", near field %.200s", path[1:])
	}
	return errors.New(what + why)
}
