package kjson

import (
	"strconv"
	"unicode/utf8"
)

// IsDecodable reports whether an API server reads a text as it is written: JSON in UTF-8 that nests at most so deep, names no member
// twice and has no number beyond a float64. One that is not spoils the list or the review that it stands in.
func IsDecodable(text []byte, levels int) bool {
	s := New(text)
	return s.skipUnique() && s.AtEnd() && utf8.Valid(text) && Depth(text) <= levels && NumbersFit(text)
}

// skipUnique reads any value, and reports whether it names no member twice and has no halves of characters.
func (s *Scanner) skipUnique() bool {
	switch {
	case s.Is('{'):
		seen := map[string]bool{}
		for name := range s.Members() {
			if seen[name] || !s.isWhole(s.name) || !s.skipUnique() {
				return false
			}
			seen[name] = true
		}
	case s.Is('['):
		for range s.Elements() {
			if !s.skipUnique() {
				return false
			}
		}
	case s.Is('"'):
		return s.isWhole(s.String())
	default:
		s.Skip()
	}
	return !s.failed
}

func (s *Scanner) isWhole(t Text) bool {
	if s.failed || !t.Escaped {
		return !s.failed
	}
	_, ok := AppendUnquoted(nil, s.data[t.Begin-1:t.End+1])
	return ok
}

// NumbersFit reports whether all numbers of a value, which must be JSON, are within a float64. An API server reads no other.
func NumbersFit(value []byte) bool {
	for begin, end := range tokens(value) {
		if c := value[begin]; c == '-' || '0' <= c && c <= '9' {
			if _, err := strconv.ParseFloat(View(value[begin:end]), 64); err != nil {
				return false
			}
		}
	}
	return true
}

// Depth of a value, which must be JSON: how many objects and lists are open at once at most.
func Depth(value []byte) int {
	deepest, open := 0, 0
	for begin := range tokens(value) {
		switch value[begin] {
		case '{', '[':
			open++
			deepest = max(deepest, open)
		case '}', ']':
			open--
		}
	}
	return deepest
}
