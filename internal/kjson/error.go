package kjson

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DecodeError says which field could not be read, and why. It never holds the value.
type DecodeError struct {
	Field string // path from where decoding began; empty for the value itself
	Why   string
}

func (e *DecodeError) Error() string {
	if e.Field == "" {
		return e.Why
	}
	return e.Field + ": " + e.Why
}

var errNoObject = &DecodeError{Why: "must be an object"}

// Within puts a path before the field of a decoding error.
func Within(path string, err error) error {
	if err == nil {
		return nil
	}
	if d, is := errors.AsType[*DecodeError](err); is {
		return &DecodeError{Field: JoinPath(path, d.Field), Why: d.Why}
	}
	return err
}

// JoinPath puts a path before another one, which may begin with the index of an item.
func JoinPath(prefix, path string) string {
	switch {
	case path == "":
		return prefix
	case prefix == "" || path[0] == '[':
		return prefix + path
	}
	return prefix + "." + path
}

// Err says where the text is not JSON, or that something follows its value: nil when one value was
// read to its end. The text is read once more for that.
func (s *Scanner) Err() error {
	if s.AtEnd() {
		return nil
	}
	again := New(s.data)
	path := pathOf(again.locate())
	at := again.Begin()
	if at < len(s.data) && s.data[at] == '"' {
		if end, _, _ := endOfString(s.data, at+1); end < 0 {
			at = ^end
		}
	}
	return &DecodeError{Field: path, Why: fmt.Sprintf("is not JSON at byte %d", at)}
}

// locate reads a value token by token, stands still at the first one that cannot be, and gives the
// path of what that is in, from the inside out.
func (s *Scanner) locate() (path []string) {
	switch {
	case s.Is('{'):
		for name := range s.Members() {
			if inner := s.locate(); s.failed {
				return append(inner, strings.Clone(name))
			}
		}
	case s.Is('['):
		for i := range s.Elements() {
			if inner := s.locate(); s.failed {
				return append(inner, fmt.Sprintf("[%d]", i))
			}
		}
	default:
		s.Skip()
	}
	return nil
}

// maxPath in bytes of a place in a text that is not JSON: paths of objects are shorter, and
// somebody reads it in an error.
const maxPath = 512

// pathOf the parts that a path has from the inside out. A longer one is cut.
func pathOf(parts []string) (path string) {
	for _, part := range slices.Backward(parts) {
		if path = JoinPath(path, part); len(path) > maxPath {
			return strings.ToValidUTF8(path[:maxPath], "") + "..."
		}
	}
	return path
}
