package yamldoc

import (
	"bytes"
	"errors"
)

// TemplateError is of a document that looks like a template, of Helm or of another engine, and
// cannot be read, or is in a chart: it must be rendered before it is one.
type TemplateError struct{ error }

// ErrInChart is of a template that can be read, since its braces stand in quotes, and is in a chart all the same.
var ErrInChart = &TemplateError{errors.New("is in a chart, and is not edited")}

// Unwrap gives the cause.
func (e *TemplateError) Unwrap() error { return e.error }

// ofTemplate makes a *TemplateError of an error if the text that it is about has the braces of a template.
func asTemplateError(text []byte, err error) error {
	if !HasTemplateBraces(text) {
		return err
	}
	return &TemplateError{err}
}

// HasBraces reports whether a text has those of a template.
func HasTemplateBraces(text []byte) bool { return bytes.Contains(text, []byte("{{")) }
