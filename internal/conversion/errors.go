package conversion

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Names of the label of an incomplete copy, and of the annotation for a preserved spec.
const (
	IncompleteLabel = preserve.IncompleteLabel
	SpecAnnotation  = preserve.SpecAnnotation
)

// Errors of a conversion, for errors.Is.
var (
	// ErrIncomplete is the error for a write of a copy that lacks preserved data.
	ErrIncomplete = preserve.ErrIncomplete
	// ErrVersion is the error for an unknown version.
	ErrVersion = errors.New("unknown version")
	// ErrKind is the error for a kind other than ResourceClaim and ResourceClaimTemplate.
	ErrKind = errors.New("unknown kind")
)

// UnknownFieldError is the error of a strict conversion for fields that the version does not have, or that are
// duplicates.
type UnknownFieldError struct {
	Fields []string // paths
}

func (e *UnknownFieldError) Error() string {
	return "unknown or duplicate field " + strings.Join(e.Fields, ", ")
}

// Error is an error of a conversion. It contains the header of the object, and no other values of fields.
type Error struct {
	Header
	To    string // the target version
	Field string // path of the field that causes the error, or ""
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// newError wraps an error in an *Error, which has the field of a *objectjson.FieldError.
func newError(h Header, to string, err error) error {
	e := &Error{Header: objectjson.CloneHeader(h), To: to, Err: err}
	if fieldError, ok := errors.AsType[*objectjson.FieldError](err); ok {
		e.Field = fieldError.Field
		e.Err = errors.New(fieldError.Reason)
	}
	return e
}

// checkVersion returns an ErrVersion, with the known versions, for an unknown version.
func checkVersion(version string) error {
	if indexOf(version) >= 0 {
		return nil
	}
	return fmt.Errorf("%w %q: must be one of %s", ErrVersion, version, strings.Join(Versions(), ", "))
}
