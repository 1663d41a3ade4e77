package leftover

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// EqualRaw compares two values of JSON by what they say. An API server writes <, > and & as escapes and sorts members,
// people indent: other bytes are not another value.
func EqualRaw(a, b []byte) bool {
	return bytes.Equal(a, b) || len(a) > 0 && len(b) > 0 && bytes.Equal(kjson.CanonicalForm(a), kjson.CanonicalForm(b))
}

// EqualPointers compares what two pointers point at, if anything.
func EqualPointers[T any](a, b *T, equal func(a, b T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}

// Same is the equality of values that Go compares.
func Same[T comparable](a, b T) bool { return a == b }
