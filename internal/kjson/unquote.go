package kjson

import (
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// meantBy is what a letter behind a backslash stands for, 0 for four digits.
var meantBy = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// AppendUnquoted decodes a JSON string, quotes included, that was read before. What is no UTF-8, and halves of
// surrogate pairs, become U+FFFD; ok is false when there are some.
func AppendUnquoted(out, quoted []byte) (_ []byte, ok bool) {
	out, ok = slices.Grow(out, len(quoted)), true
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		end, foreign := plainRun(text, 0)
		ok = ok && (!foreign || utf8.Valid(text[:end]))
		out = appendValid(out, text[:end], foreign)
		if text = text[end:]; len(text) == 0 {
			break
		}
		if c := meantBy[text[1]]; c != 0 {
			out, text = append(out, c), text[2:]
			continue
		}
		r, rest := hex(text), text[6:]
		if utf16.IsSurrogate(r) {
			if r = utf16.DecodeRune(r, hex(rest)); r == utf8.RuneError {
				ok = false
			} else {
				rest = rest[6:]
			}
		}
		out, text = utf8.AppendRune(out, r), rest
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
