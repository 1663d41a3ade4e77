package yamledit

import (
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

const (
	// maxNodes limits the values of an edited document. A list of the size MaxDocument holds 5,000 claims of 3 KiB,
	// each with up to 120 values and keys. A node takes about 200 bytes, so maxNodes take a tenth of what the YAML
	// parser needs for the worst document. Claims have half as many lines.
	maxNodes = 1 << 20
	// maxChangeDepth limits the depth of a change. The deepest field that a conversion changes in a list of claims is
	// ten levels deep.
	maxChangeDepth = 100
	// maxResultBytes limits the size of the result in bytes. A conversion does not double the size of a text, except by
	// indentation of deeply nested values with a line for each level.
	maxResultBytes = 4 * yamldoc.MaxDocument
)

// NotInPlaceError says why a text cannot be edited.
type NotInPlaceError struct {
	Reason string // like "an alias is not edited"
	Line   int    // in the file; 0 if it is not known

	losesComment bool
}

// Error implements error.
func (e *NotInPlaceError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("cannot be edited in place: line %d: %s", e.Line, e.Reason)
	}
	return "cannot be edited in place: " + e.Reason
}

// losesComment reports whether an edit was rejected because a comment would be lost.
func losesComment(err error) bool {
	rejected, ok := errors.AsType[*NotInPlaceError](err)
	return ok && rejected.losesComment
}

func notEditable(line int, format string, args ...any) *NotInPlaceError {
	return &NotInPlaceError{Reason: fmt.Sprintf(format, args...), Line: line}
}

var errTooManyNodes = notEditable(0, "it has more than %d values", maxNodes)
