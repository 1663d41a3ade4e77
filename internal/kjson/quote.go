package kjson

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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
	end, foreign := plainRun(text, 0)
	if end < len(text) {
		return appendEscaped(out, text)
	}
	if foreign && !utf8.Valid(text) {
		return quoteSlowly(out, text)
	}
	return append(append(append(out, '"'), text...), '"')
}

// appendEscaped writes a string that needs escapes. JSON inside a string, as leftovers and the data of handles are, has
// one in nearly every word: each word is stored whole, and what comes next is put over what is too much of it.
func appendEscaped(out, text []byte) []byte {
	begin := len(out)
	out = slices.Grow(out, 2*len(text)+8)
	to := out[begin : begin+2*len(text)+8]
	to[0] = '"'
	n, i := 1, 0
	seen := uint64(0)
	for i < len(text) {
		plain := 0
		if i+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			seen |= w
			binary.LittleEndian.PutUint64(to[n:], w)
			mark := special(w)
			if mark == 0 {
				n, i = n+8, i+8
				continue
			}
			plain = bits.TrailingZeros64(mark) / 8
		}
		n, i = n+plain, i+plain
		c := text[i]
		i++
		switch letter := letterOf[c]; {
		case letter != 0:
			to[n], to[n+1] = '\\', letter
			n += 2
		case c < ' ':
			return quoteSlowly(out[:begin], text)
		default: // near the end
			seen |= uint64(c)
			to[n] = c
			n++
		}
	}
	if seen&highs != 0 && !utf8.Valid(text) {
		return quoteSlowly(out[:begin], text)
	}
	to[n] = '"'
	return out[:begin+n+1]
}

func quoteSlowly(out, text []byte) []byte {
	out = append(out, '"')
	for _, r := range string(text) { // of a byte that is no UTF-8, U+FFFD
		switch {
		case r < utf8.RuneSelf && letterOf[r] != 0:
			out = append(out, '\\', letterOf[r])
		case r < ' ':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}
