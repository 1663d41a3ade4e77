package kjson

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Tokens of a value, which must be JSON, from where they begin to where they end: strings, numbers, and single characters.
func Tokens(value []byte) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		for i := moreSpace(value, 0); i < len(value); i = moreSpace(value, i) {
			begin, end := i, -1
			switch c := value[i]; {
			case c == '"':
				end, _, _ = endOfString(value, i+1)
			case c == '-' || '0' <= c && c <= '9':
				end = endOfNumber(value, i)
			}
			if i = max(end, begin+1); !yield(begin, i) {
				return
			}
		}
	}
}

// AppendCompact appends a value without the white space between its tokens. All else stays as it is written. The value
// must be JSON; what is not is appended in some way.
func AppendCompact(out, value []byte) []byte {
	if !mayHaveSpace(value) {
		return append(out, value...)
	}
	for begin, end := range Tokens(value) {
		out = append(out, value[begin:end]...)
	}
	return out
}

// mayHaveSpace is false for what programs write, but for text with blanks in it.
func mayHaveSpace(value []byte) bool {
	for _, space := range []byte(" \n\t\r") {
		if bytes.IndexByte(value, space) >= 0 {
			return true
		}
	}
	return false
}

// IsDecodable reports whether an API server reads a text as it is written: JSON in UTF-8 that nests at most so deep, names no member
// twice and has no number beyond a float64. One that is not spoils the list or the review that it stands in.
func IsDecodable(text []byte, levels int) bool {
	return jsontext.Value(text).IsValid() && Depth(text) <= levels && NumbersFit(text)
}

// NumbersFit reports whether all numbers of a value, which must be JSON, are within a float64. An API server reads no other.
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
