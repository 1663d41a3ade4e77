package objectjson

import (
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// StringSpan is the position of a string, without its quotes.
type StringSpan struct {
	Begin, End int

	HasEscapes, HasNonASCII bool
}

// ReadString reads a string and returns its position.
func (s *Scanner) ReadString() (span StringSpan) {
	if s.failed || s.peek() != '"' {
		s.fail()
		return span
	}
	end, hasEscapes, hasNonASCII := endOfString(s.data, s.pos+1)
	if end < 0 {
		s.fail()
		return span
	}
	span = StringSpan{Begin: s.pos + 1, End: end - 1, HasEscapes: hasEscapes, HasNonASCII: hasNonASCII}
	s.pos = end
	return span
}

// endOfString returns the index after the quote that ends a string. If the text is not a string, the index is negative:
// the complement of the index of the first invalid byte.
func endOfString(data []byte, i int) (end int, hasEscapes, hasNonASCII bool) {
	for {
		for i < len(data) && isPlain[data[i]] {
			i++
		}
		switch {
		case i == len(data) || data[i] < ' ':
			return ^i, hasEscapes, hasNonASCII
		case data[i] == '"':
			return i + 1, hasEscapes, hasNonASCII
		case data[i] == '\\':
			hasEscapes = true
			next := afterEscape(data, i)
			if next < 0 {
				return ^i, hasEscapes, hasNonASCII
			}
			i = next
		default:
			hasNonASCII = true
			i++
		}
	}
}

// isPlain has the ASCII characters that a string may contain as they are.
var isPlain = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// afterEscape returns the index after an escape sequence, or -1.
func afterEscape(data []byte, i int) int {
	if i+1 >= len(data) {
		return -1
	}
	switch data[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if i+6 <= len(data) {
			if _, err := strconv.ParseUint(string(data[i+2:i+6]), 16, 16); err == nil {
				return i + 6
			}
		}
	}
	return -1
}

// StringOf returns the content of a value that is a string, or "" for another value.
func StringOf(value []byte) string {
	if !StartsWith(value, '"') {
		return ""
	}
	text, _ := AppendUnquoted(nil, value)
	return string(text)
}

// Quote returns a string as JSON, as [AppendQuoted] writes it.
func Quote(s string) []byte { return AppendQuoted(nil, s) }

// AppendQuoted appends a string as JSON with as few escapes as possible. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, text) // it only reports invalid UTF-8
	return out
}

// AppendUnquoted appends the content of a JSON string with quotes, which must be valid. Invalid UTF-8 and unpaired
// surrogates become U+FFFD. It reports whether there were none.
func AppendUnquoted(out, quoted []byte) (_ []byte, isValid bool) {
	out, err := jsontext.AppendUnquote(out, quoted)
	return out, err == nil
}
