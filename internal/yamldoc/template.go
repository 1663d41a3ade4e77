package yamldoc

import (
	"bytes"
	"errors"
)

// TemplateError is the error for a template, of Helm or of another engine, that cannot be read or is in a chart: it
// must be rendered before it is an object.
type TemplateError struct{ error }

// ErrInChart is the error for a template in a chart that can be read, because its braces are in quotes.
var ErrInChart = &TemplateError{errors.New("is in a chart, and is not edited")}

// Unwrap returns the cause.
func (e *TemplateError) Unwrap() error { return e.error }

// asTemplateError returns a *TemplateError if the text has the braces of a template, and the error itself if not.
func asTemplateError(text []byte, err error) error {
	if !HasTemplateBraces(text) {
		return err
	}
	return &TemplateError{err}
}

// HasTemplateBraces reports whether a text has the opening braces of a template.
func HasTemplateBraces(text []byte) bool { return bytes.Contains(text, []byte("{{")) }
