package kjson

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// meantBy is what a letter behind a backslash stands for, 0 for four digits.
var meantBy = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// AppendUnquoted decodes a JSON string, quotes included, that was read before. What is no UTF-8, and halves of
// surrogate pairs, become U+FFFD; ok is false when there are some. As [AppendQuoted] it goes word by word.
func AppendUnquoted(out, quoted []byte) (_ []byte, ok bool) {
	begin, text := len(out), quoted[1:len(quoted)-1]
	out = slices.Grow(out, len(text)+8)
	to := out[begin : begin+len(text)+8]
	n, i := 0, 0
	seen := uint64(0)
	for i < len(text) {
		if i+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			seen |= w
			binary.LittleEndian.PutUint64(to[n:], w)
			mark := special(w)
			if mark == 0 {
				n, i = n+8, i+8
				continue
			}
			plain := bits.TrailingZeros64(mark) / 8
			n, i = n+plain, i+plain
		}
		c := text[i]
		i++
		if c == '\\' {
			c = meantBy[text[i]]
			i++
			if c == 0 {
				return unquoteSlowly(out[:begin], quoted)
			}
		}
		seen |= uint64(c)
		to[n] = c
		n++
	}
	out = out[:begin+n]
	if seen&highs != 0 && !utf8.Valid(out[begin:]) {
		return unquoteSlowly(out[:begin], quoted)
	}
	return out, true
}

func unquoteSlowly(out, quoted []byte) (_ []byte, ok bool) {
	ok = true
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			ok = false
		case r == '\\' && text[1] != 'u':
			r, size = rune(meantBy[text[1]]), 2
		case r == '\\':
			if r, size = hex(text), 6; utf16.IsSurrogate(r) {
				if r = utf16.DecodeRune(r, hex(text[6:])); r == utf8.RuneError {
					ok = false
				} else {
					size = 12
				}
			}
		}
		out, text = utf8.AppendRune(out, r), text[size:]
	}
	return out, ok
}

// hex is the character that an escape begins with, if there is one.
func hex(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return utf8.RuneError
	}
	n, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n)
}
