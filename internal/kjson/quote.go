package kjson

import (
	"fmt"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// letterOf is what is written behind a backslash for a character, 0 where there is no such escape.
var letterOf = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendQuoted writes a string as JSON, with as few escapes as can be. What is no UTF-8 becomes U+FFFD.
func AppendQuoted(out []byte, text string) []byte {
	return AppendQuotedBytes(out, unsafe.Slice(unsafe.StringData(text), len(text)))
}

// AppendQuotedBytes is AppendQuoted of a text in bytes, which are only read.
func AppendQuotedBytes(out, text []byte) []byte {
	out = append(slices.Grow(out, len(text)+len(text)/8+2), '"')
	for at := 0; at < len(text); at++ {
		end, foreign := plainRun(text, at)
		out = appendValid(out, text[at:end], foreign)
		if at = end; at == len(text) {
			break
		}
		if letter := letterOf[text[at]]; letter != 0 {
			out = append(out, '\\', letter)
		} else {
			out = fmt.Appendf(out, `\u%04x`, text[at])
		}
	}
	return append(out, '"')
}

// appendValid appends a text, in which each byte that is no UTF-8 becomes U+FFFD.
func appendValid(out, text []byte, foreign bool) []byte {
	if !foreign || utf8.Valid(text) {
		return append(out, text...)
	}
	for _, r := range string(text) {
		out = utf8.AppendRune(out, r)
	}
	return out
}
