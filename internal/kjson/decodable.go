package kjson

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// IsDecodable reports whether an API server reads a text as it is written: JSON in UTF-8 that nests at most so deep, names no member
// twice and has no number beyond a float64. One that is not spoils the list or the review that it stands in.
func IsDecodable(text []byte, levels int) bool {
	return jsontext.Value(text).IsValid() && Depth(text) <= levels && NumbersFit(text)
}

// NumbersFit reports whether all numbers of a value, which must be JSON, are within a float64. An API server reads no other.
func NumbersFit(value []byte) bool {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			i = textEnd(value, i)
		case c == '-' || '0' <= c && c <= '9':
			end := endOfNumber(value, i)
			if end < 0 {
				return false
			}
			if _, err := strconv.ParseFloat(View(value[i:end]), 64); err != nil {
				return false
			}
			i = end
		default:
			i++
		}
	}
	return true
}
