package conversion

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/conversion/internal/preserve"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Causes that callers tell apart with errors.Is. All others are for people to read.
var (
	// ErrIncomplete is the error for a write of a copy that lacks preserved data.
	ErrIncomplete = preserve.ErrIncomplete
	// ErrVersion is the error for an unknown version.
	ErrVersion = errors.New("unknown version")
	// ErrKind is the error for a kind other than ResourceClaim and ResourceClaimTemplate.
	ErrKind = errors.New("unknown kind")
)

// UnknownFieldError is what strict decoding answers: fields that the version does not have, or that are there twice.
type UnknownFieldError struct {
	Fields []string // paths
}

func (e *UnknownFieldError) Error() string {
	return "unknown or duplicate field " + strings.Join(e.Fields, ", ")
}

// Error of a conversion: which object, between which versions, which field and why. It never holds the value of a
// field.
type Error struct {
	Header
	To    string // the wanted version
	Field string // path of the field, when one is to blame
	Err   error
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Header != (Header{}) || e.To != "" {
		b.WriteString(e.Header.String() + ": ")
	}
	switch {
	case e.Version != "" && e.To != "":
		fmt.Fprintf(&b, "%s to %s: ", e.Version, e.To)
	case e.Version != "":
		fmt.Fprintf(&b, "from %s: ", e.Version)
	case e.To != "":
		fmt.Fprintf(&b, "to %s: ", e.To)
	}
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// failure wraps a cause; the field of a decoding error becomes the error's own.
func failure(h Header, to string, err error) error {
	e := &Error{Header: kjson.CloneHeader(h), To: to, Err: err}
	if d, is := errors.AsType[*DecodeError](err); is {
		e.Field, e.Err = d.Field, errors.New(d.Why)
	}
	return e
}

// checkVersion answers nil for a version that is converted, else an ErrVersion that names those that are.
func checkVersion(version string) error {
	if indexOf(version) >= 0 {
		return nil
	}
	return fmt.Errorf("%w %q: known are %s", ErrVersion, version, strings.Join(Versions(), ", "))
}
