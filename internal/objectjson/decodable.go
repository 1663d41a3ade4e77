package objectjson

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// IsDecodable reports whether every API server can decode a text: JSON in UTF-8 without duplicate names that is nested
// at most levels deep and has no number out of the range of a float64. A text that is not decodable makes the
// list or the review that contains it undecodable.
func IsDecodable(text []byte, levels int) bool {
	return jsontext.Value(text).IsValid() && Depth(text) <= levels && NumbersFit(text)
}

// NumbersFit reports whether all numbers of a value, which must be JSON, are in the range of a float64. An API server
// rejects others.
func NumbersFit(value []byte) bool {
	for begin, end := range Tokens(value) {
		if c := value[begin]; c == '-' || '0' <= c && c <= '9' {
			if _, err := strconv.ParseFloat(string(value[begin:end]), 64); err != nil {
				return false
			}
		}
	}
	return true
}

// Depth returns how many levels of objects and arrays a value has, which must be JSON.
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
