package conversion

import (
	"bytes"
	"unsafe"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// equalPointers, equalValues and equalLists are what the generated comparisons stand on. Lists are compared as the API
// server sees them: absent and empty ones are the same.
func equalPointers[T any](a, b *T, equal func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(a, b)
}

func equalValues[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func equalLists[T any](a, b []T, equal func(a, b *T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// equalRaw compares two values of JSON by what they say. An API server writes <, > and & as escapes and sorts members,
// people indent: other bytes are not another value.
func (r *room) equalRaw(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	return bytes.Equal(r.spelling(a), r.spelling(b))
}

// spelling is the canonical form of a raw value of the object, made once however often the value is compared. A value is
// known by where it begins: no two begin at the same byte.
func (r *room) spelling(raw []byte) []byte {
	begin := unsafe.SliceData(raw)
	if known := r.spellings.get(begin); known != nil {
		return *known
	}
	form := kjson.CanonicalForm(raw)
	r.spellings.put(begin, form)
	return form
}
