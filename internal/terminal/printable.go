package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text in which control characters, format characters, line ends, and bytes that are not UTF-8 are
// written as escape sequences of Go, because anyone can choose names and messages.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, isInvisible) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else if isInvisible(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isInvisible reports whether a reader does not see a character: a control or format character, such as one that
// changes the direction of text, or a line end.
func isInvisible(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
