package objectjson

import (
	"bytes"
	"iter"
	"slices"
)

// Tokens yields the position of each token of a value, which must be JSON. Tokens are strings, numbers, and single
// characters.
func Tokens(value []byte) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		for i := skipSpace(value, 0); i < len(value); i = skipSpace(value, i) {
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

// AppendCompact appends a value without the white space between its tokens. The tokens are unchanged. The value must be
// JSON.
func AppendCompact(out, value []byte) []byte {
	// Most values have no white space, except inside strings.
	if !slices.ContainsFunc([]byte(" \n\t\r"), func(space byte) bool { return bytes.IndexByte(value, space) >= 0 }) {
		return append(out, value...)
	}
	for begin, end := range Tokens(value) {
		out = append(out, value[begin:end]...)
	}
	return out
}

// skipSpace returns the index of the next byte that is not white space.
func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}
