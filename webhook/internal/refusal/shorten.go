package refusal

import (
	"strings"
	"unicode/utf8"
)

// Shorten cuts a text to a number of bytes without splitting a character, and makes it valid UTF-8: messages quote
// names that callers chose.
func Shorten(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= limit {
		return text
	}
	const ellipsis = "..."
	cut := limit - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
