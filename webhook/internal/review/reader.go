package review

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// leniently is how reviews are read, as an API server's own decoder does it: names are case-sensitive, and invalid UTF-8 is let through. Values nest
// at most 10,000 deep.
var leniently = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// maxText in bytes of what a review says of itself: an API server's uid has 36, a name at most 253. An answer repeats the uid.
const maxText = 4096

// reader of a review, as it comes.
type reader struct {
	jsontext.Decoder
	call *call
	// scratch holds a name or a text until it is looked at.
	scratch []byte
}

// members of the object that comes next. The function reads the value of a member, or returns false for one to pass over; null has none.
func (r *reader) members(read func(name []byte) (bool, error)) error {
	if r.PeekKind() == 'n' {
		return r.SkipValue()
	}
	if err := r.open('{'); err != nil {
		return err
	}
	for r.PeekKind() == '"' {
		quoted, err := r.ReadValue()
		if err != nil {
			return err
		}
		r.scratch, _ = jsontext.AppendUnquote(r.scratch[:0], quoted) // its one error is invalid UTF-8
		known, err := read(r.scratch)
		if err == nil && !known {
			err = r.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.ReadToken()
	return err
}

// elements of the array that comes next, as they are in the body. Each is paid for, and forgotten when the function has seen it; null has none.
func (r *reader) elements(read func(element []byte) error) error {
	if r.PeekKind() == 'n' {
		return r.SkipValue()
	}
	if err := r.open('['); err != nil {
		return err
	}
	for kind := r.PeekKind(); kind != ']'; kind = r.PeekKind() {
		element, err := r.ReadValue()
		if err == nil {
			err = read(element)
		}
		if err != nil {
			return err
		}
		r.call.items -= commas(element) + 1 // behind it
		r.call.unread = int64(len(r.UnreadBuffer()))
	}
	_, err := r.ReadToken()
	return err
}

// text reads a string; null is the empty one.
func (r *reader) text() (string, error) {
	kind := r.PeekKind()
	value, err := r.ReadValue()
	switch {
	case err != nil, kind == 'n':
		return "", err
	case kind != '"':
		return "", r.isNo("a string")
	case len(value) > maxText:
		return "", notAReview("a name in the review is longer than %d bytes", maxText)
	}
	r.scratch, _ = jsontext.AppendUnquote(r.scratch[:0], value)
	return string(r.scratch), nil
}

// open an object or an array.
func (r *reader) open(kind jsontext.Kind) error {
	token, err := r.ReadToken()
	if err == nil && token.Kind() != kind {
		return r.isNo(map[jsontext.Kind]string{'{': "an object", '[': "an array"}[kind])
	}
	return err
}

func (r *reader) isNo(what string) error {
	return notAReview("the body is not a review: %s", strings.TrimPrefix(string(r.StackPointer())+" must be "+what, " "))
}

// end of the body.
func (r *reader) end() error {
	if _, err := r.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.Join(err, errors.New("there is more than one JSON value"))
	}
	return nil
}

// unreadable gives the error that a caller is told: why the body could not be read, or where it stops being a review.
func (c *call) unreadable(err error) error {
	if err == nil {
		return nil
	}
	var refused *refusal.Error
	var wrong *json.SemanticError
	switch {
	case errors.As(err, &refused):
		return err
	case errors.As(err, &wrong):
		return notAReview("the body is not a review: %s cannot be a %s", wrong.JSONPointer, wrong.JSONKind)
	case c.failed != nil && !errors.Is(c.failed, io.EOF):
		return c.failed
	}
	return notAReview("the body is not a review: %v", err)
}
