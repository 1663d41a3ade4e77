package kjson

import (
	"bytes"
	"iter"
	"slices"
)

// Tokens of a value, which must be JSON, from where they begin to where they end: strings, numbers,
// and single characters.
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
	// There is none in what programs write, but for text with blanks in it.
	if !slices.ContainsFunc([]byte(" \n\t\r"), func(space byte) bool { return bytes.IndexByte(value, space) >= 0 }) {
		return append(out, value...)
	}
	for begin, end := range Tokens(value) {
		out = append(out, value[begin:end]...)
	}
	return out
}
