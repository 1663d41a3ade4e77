package review

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// reader walks over a review once. The objects in it are not decoded: they are returned as parts of the body.
//
// As the API server's own decoder does it: names are case-sensitive, the last of duplicate members counts, and invalid
// UTF-8 is let through. Values nest at most 10,000 deep, jsontext's and encoding/json's bound.
type reader struct {
	kjson.Scanner
	body []byte
}

func newReader(body []byte) reader { return reader{kjson.New(body), body} }

// document reads the one object that the body is.
func (r *reader) document(member func(name []byte) error) error {
	if err := r.object(member); err != nil {
		return err
	}
	if r.AtEnd() {
		return nil
	}
	return r.broken()
}

// broken says where the body stops being JSON, by a decoder that tracks its position.
func (r *reader) broken() error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(r.body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := dec.SkipValue()
	if err == nil {
		return errors.New("there is more than one JSON value")
	}
	return err
}

// object calls member for each member of an object; the function reads the value. It reports null as not there.
func (r *reader) object(member func(name []byte) error) error {
	if r.Null() {
		return nil
	}
	if !r.Is('{') {
		return r.mismatch("an object")
	}
	for more := r.FirstMember(); more; more = r.NextMember() {
		name := r.decoded(r.Name())
		if err := member(name); err != nil {
			return inside(name, err)
		}
	}
	return r.failure()
}

// array calls item for each element of an array, which reads it; null has none.
func (r *reader) array(item func() error) error {
	if r.Null() {
		return nil
	}
	if !r.Is('[') {
		return r.mismatch("an array")
	}
	for more := r.FirstElement(); more; more = r.NextElement() {
		if err := item(); err != nil {
			return err
		}
	}
	return r.failure()
}

// texts reads the strings of an object by their names, and passes over its other members.
func (r *reader) texts(into map[string]*string) error {
	return r.object(func(name []byte) error {
		if s := into[string(name)]; s != nil {
			return r.text(s)
		}
		return r.skip()
	})
}

// text reads a string into s; null is the empty one.
func (r *reader) text(s *string) error {
	var t []byte
	err := r.textPart(&t)
	*s = string(t)
	return err
}

// textPart reads a string as a part of the body where it can; null is the empty one.
func (r *reader) textPart(t *[]byte) error {
	*t = nil
	if r.Null() {
		return nil
	}
	if !r.Is('"') {
		return r.mismatch("a string")
	}
	text := r.String()
	if text.End-text.Begin > maxText {
		return notAReview("a name in the review is longer than %d bytes", maxText)
	}
	*t = r.decoded(text)
	return r.failure()
}

// maxText in bytes of what a review says of itself: an API server's uid has 36, a name at most 253. An answer repeats the uid,
// and may need six times its length for that.
const maxText = 4096

// decoded gives a string that was read, as a part of the body where it can.
func (r *reader) decoded(t kjson.Text) []byte {
	if !t.Escaped && !t.Foreign || r.Failed() {
		return r.body[t.Begin:t.End]
	}
	text, _ := kjson.AppendUnquoted(nil, r.body[t.Begin-1:t.End+1])
	return text
}

// raw reads any value as the part of the body that it is; null is nil.
func (r *reader) raw(value *[]byte) error {
	*value = nil
	if r.Null() {
		return nil
	}
	at, err := r.span()
	*value = at.of(r.body)
	return err
}

// span reads any value, and returns where it is.
func (r *reader) span() (span, error) {
	begin, end := r.Skip()
	return span{begin, end}, r.failure()
}

func (r *reader) skip() error {
	r.Skip()
	return r.failure()
}

func (r *reader) failure() error {
	if r.Failed() {
		return r.broken()
	}
	return nil
}

// mismatch is something else than expected; what cannot be read at all says so itself.
func (r *reader) mismatch(want string) error {
	if err := r.skip(); err != nil {
		return err
	}
	return &mismatch{want: want}
}

type mismatch struct{ where, want string }

func (m *mismatch) Error() string {
	if m.where == "" {
		return fmt.Sprintf("must be %s", m.want)
	}
	return fmt.Sprintf("%s must be %s", m.where, m.want)
}

// inside puts the name of a member before the path of a mismatch.
func inside(name []byte, err error) error {
	if m, ok := err.(*mismatch); ok { //nolint:errorlint // the reader wraps nothing
		return &mismatch{"/" + string(name) + m.where, m.want}
	}
	return err
}
