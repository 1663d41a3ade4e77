package kjson

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// IsDecodable reports whether an API server reads a text as it is written: JSON in UTF-8 that nests
// at most so deep, names no member twice and has no number beyond a float64. One that is not spoils
// the list or the review that it stands in.
func IsDecodable(text []byte, levels int) bool {
	return jsontext.Value(text).IsValid() && Depth(text) <= levels && NumbersFit(text)
}

// NumbersFit reports whether all numbers of a value, which must be JSON, are within a float64. An
// API server reads no other.
func NumbersFit(value []byte) bool {
	for begin, end := range Tokens(value) {
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
	for begin := range Tokens(value) {
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
