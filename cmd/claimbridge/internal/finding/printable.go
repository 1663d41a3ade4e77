package finding

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable writes as Go does what would begin a line, tell a terminal what to do, or turn the
// order of what is read, and bytes that are no text: names are anybody's.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, commands) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else if commands(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// commands are letters that a reader does not see: of control, of format, as those that turn the
// direction, and ends of lines.
func commands(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
