package yamledit

import (
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

const (
	// maxNodes of a document that is edited. A list of MaxDocument holds 5,000 claims of 3 KiB,
	// each of up to 120 values and keys; a node takes some 200 bytes, so that these take a tenth of
	// what the YAML parser needs for the worst document. Of lines claims have but half as many.
	maxNodes = 1 << 20
	// maxChanged is how deep something may be nested that changes. The deepest field of a claim in
	// a list that a conversion changes is ten levels down.
	maxChanged = 100
	// maxResult in bytes. A conversion nests and carries, which does not double a text; but deep
	// nesting does where each level is a line.
	maxResult = 4 * yamldoc.MaxDocument
)

// NotInPlaceError says why a text cannot be edited.
type NotInPlaceError struct {
	Reason string // what stands in the way, like "an alias is not edited"
	Line   int    // in the file, where it is known, else 0
}

// Error implements error.
func (e *NotInPlaceError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("cannot be edited in place: line %d: %s", e.Line, e.Reason)
	}
	return "cannot be edited in place: " + e.Reason
}

func notInPlace(line int, format string, args ...any) *NotInPlaceError {
	return &NotInPlaceError{Reason: fmt.Sprintf(format, args...), Line: line}
}

var errTooManyNodes = notInPlace(0, "it has more than %d values", maxNodes)
