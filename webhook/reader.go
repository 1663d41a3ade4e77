package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// reader walks over a review once. The objects in it are not decoded: they are returned as parts of the body.
//
// As the API server's own decoder does it: names are case-sensitive, the last of duplicate members counts, and invalid
// UTF-8 is let through. Values nest at most 10,000 deep, jsontext's and encoding/json's bound.
type reader struct {
	body []byte
	dec  *jsontext.Decoder
}

func newReader(body []byte) *reader {
	return &reader{body, jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// document reads the one object that the body is.
func (r *reader) document(member func(name string) error) error {
	if err := r.object(member); err != nil {
		return err
	}
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one JSON value")
	}
	return nil
}

// object calls member for each member of an object; the function reads the value. It reports null as not there.
func (r *reader) object(member func(name string) error) error {
	switch kind := r.dec.PeekKind(); kind {
	case '{':
	case 'n':
		return r.skip()
	default:
		return r.mismatch("an object")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	for r.dec.PeekKind() != '}' {
		name, err := r.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// array calls item for each element of an array, which reads it; null has none.
func (r *reader) array(item func() error) error {
	switch kind := r.dec.PeekKind(); kind {
	case '[':
	case 'n':
		return r.skip()
	default:
		return r.mismatch("an array")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	for r.dec.PeekKind() != ']' {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// text reads a string into s; null is the empty one.
func (r *reader) text(s *string) error {
	switch r.dec.PeekKind() {
	case '"':
	case 'n':
		*s = ""
		return r.skip()
	default:
		return r.mismatch("a string")
	}
	token, err := r.dec.ReadToken()
	if err == nil {
		*s = token.String()
	}
	return err
}

// raw reads any value as the part of the body that it is; null is nil.
func (r *reader) raw(value *[]byte) error {
	read, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	*value = nil
	if read.Kind() != 'n' {
		end := int(r.dec.InputOffset())
		*value = r.body[end-len(read) : end : end]
	}
	return nil
}

func (r *reader) skip() error { return r.dec.SkipValue() }

// mismatch names where something else than expected is; what cannot be read at all says so itself.
func (r *reader) mismatch(want string) error {
	if err := r.dec.SkipValue(); err != nil {
		return err
	}
	where := r.dec.StackPointer()
	if where == "" {
		return fmt.Errorf("must be %s", want)
	}
	return fmt.Errorf("%s must be %s", where, want)
}
