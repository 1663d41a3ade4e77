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

// TypeOf returns the apiVersion and kind of a JSON object, which are empty if they are missing.
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

// jsonReader reads JSON token by token or value by value, and counts lines.
type jsonReader struct {
	*jsontext.Decoder
	line  int        // of the last token or value
	chunk *jsonChunk // nil if the JSON is in memory
}

func newJSONReader(r io.Reader, line int) *jsonReader {
	return &jsonReader{Decoder: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), line: line}
}

// peek returns the offset and the line of the next token or value.
func (r *jsonReader) peek() (offset int64, line int) {
	r.PeekKind()
	between := " \t\r\n,:"
	if r.StackDepth() == 0 {
		between = " \t\r\n"
	}
	unread := r.UnreadBuffer() // begins after the last token or value
	gap := len(unread) - len(bytes.TrimLeft(unread, between))
	return r.InputOffset() + int64(gap), r.line + bytes.Count(unread[:gap], []byte("\n"))
}

func (r *jsonReader) token() (jsontext.Token, error) {
	_, r.line = r.peek()
	return r.ReadToken()
}

// value returns the next value and its line. The value is valid until the next read.
func (r *jsonReader) value() (value jsontext.Value, line int, err error) {
	_, line = r.peek()
	value, err = r.ReadValue()
	r.line = line + bytes.Count(value, []byte("\n"))
	return value, line, err
}

// member reads a member of an object. If skipValue returns true for its name, the caller reads its value.
func (r *jsonReader) member(skipValue func(name string) bool) (m objectjson.Member, err error) {
	name, err := r.token()
	m.Name = name.String()
	if err == nil && (skipValue == nil || !skipValue(m.Name)) {
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
				return n, nil // return data rather than wait for a slow pipe
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

// plainError returns an error of the decoder in plain words, without a quote from the input.
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
