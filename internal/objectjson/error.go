package objectjson

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// FieldError reports a field that cannot be decoded, or whose value is not accepted. It never contains the value.
type FieldError struct {
	// Field is the path below the decoded value. It is empty for the value itself.
	Field  string
	Reason string
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

var errNotObject = &FieldError{Reason: "must be an object"}

// AtPath returns a *FieldError with a path before its field. Other errors are unchanged.
func AtPath(path string, err error) error {
	if err == nil {
		return nil
	}
	if d, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{Field: JoinPath(path, d.Field), Reason: d.Reason}
	}
	return err
}

// JoinPath returns a path below another one. It may begin with the index of an item.
func JoinPath(prefix, path string) string {
	switch {
	case path == "":
		return prefix
	case prefix == "" || path[0] == '[':
		return prefix + path
	}
	return prefix + "." + path
}

// Err returns an error with the first position where the text is not JSON, or where something follows its value. It
// returns nil if one value was read to its end. It reads the text again to find the position.
func (s *Scanner) Err() error {
	if s.AtEnd() {
		return nil
	}
	again := NewScanner(s.data)
	path := pathOf(again.locate())
	at := again.Begin()
	if at < len(s.data) && s.data[at] == '"' {
		if end, _, _ := endOfString(s.data, at+1); end < 0 {
			at = ^end
		}
	}
	return &FieldError{Field: path, Reason: fmt.Sprintf("is not JSON at byte %d", at)}
}

// locate reads a value up to the first invalid token, and returns the path of that token from the inside out.
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

// maxPath in bytes is the limit for a path in an error about a text that is not JSON. Paths of API fields are shorter.
const maxPath = 512

// pathOf joins the parts of a path, which are in order from the inside out. It truncates a path that exceeds the limit.
func pathOf(parts []string) (path string) {
	for _, part := range slices.Backward(parts) {
		path = JoinPath(path, part)
		if len(path) > maxPath {
			return strings.ToValidUTF8(path[:maxPath], "") + "..."
		}
	}
	return path
}
