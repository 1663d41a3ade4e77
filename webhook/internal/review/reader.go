package review

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// leniently is how reviews are read, as an API server's own decoder does it: names are
// case-sensitive, and invalid UTF-8 is let through. Values nest at most 10,000 deep.
var leniently = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// maxText in bytes of what a review says of itself: an API server's uid has 36, a name at most 253.
// An answer repeats the uid.
const maxText = 4096

// text that a review says of itself; null is the empty one.
type text string

// UnmarshalJSONFrom reads it, when it is not too long.
func (t *text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if err := expect(d, '"', "a string"); err != nil {
		return err
	}
	token, err := d.ReadToken()
	*t = ""
	if err == nil && token.Kind() == '"' {
		*t = text(token.String())
	}
	if len(*t) > maxText {
		return notAReview("a name in the review is longer than %d bytes", maxText)
	}
	return err
}

// objects of a review, which are seen as they are in the body, one by one.
type objects struct {
	call *call
	see  func(object []byte) error
	// read are those that were seen, and there is set when the list was.
	read  int
	there bool
}

// maxObjects in a review. A full body of 64 MiB holds that many of 671 bytes, less than the smallest claim that an API
// server stores; without a bound a body of "0,0,0,..." would fail 30 million times.
const maxObjects = 100_000

// UnmarshalJSONFrom reads them. Each is paid for, and forgotten when it was seen; null has none.
func (o *objects) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if o.there {
		return notAReview("the request has two lists of objects")
	}
	o.there = true
	if err := expect(d, '[', "an array"); err != nil {
		return err
	}
	if token, err := d.ReadToken(); err != nil || token.Kind() == 'n' {
		return err
	}
	for d.PeekKind() != ']' {
		object, err := d.ReadValue()
		switch {
		case err != nil:
			return err
		case o.read == maxObjects:
			return refusal.New(http.StatusRequestEntityTooLarge,
				"the review holds more than %d objects: send fewer at a time", maxObjects)
		}
		o.read++
		if err := o.see(object); err != nil {
			return err
		}
		o.call.items -= commas(object) + 1 // behind it
		o.call.unread = int64(len(d.UnreadBuffer()))
	}
	_, err := d.ReadToken()
	return err
}

// expect a kind of value next, or null.
func expect(d *jsontext.Decoder, kind jsontext.Kind, what string) error {
	if next := d.PeekKind(); next == kind || next == 'n' || next == jsontext.KindInvalid {
		return nil
	}
	return notAReview("the body is not a review: %s",
		strings.TrimPrefix(string(d.StackPointer())+" must be "+what, " "))
}

// end of the body.
func end(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
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
