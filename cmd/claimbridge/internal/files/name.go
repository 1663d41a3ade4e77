package files

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Quoted is a name as git quotes one that has a letter which could end it: in quotes, and escaped as in C. Others stay as they are.
func Quoted(name string) string {
	if !strings.ContainsFunc(name, special) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) { // bytes, as a name need not be UTF-8
		c := name[i]
		switch short := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); {
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[short])
		case special(rune(c)):
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// special letters have to be escaped. Where folders are parted by a backslash it is none.
func special(r rune) bool {
	return r < ' ' || r == 0x7f || r == '"' || r == '\\' && filepath.Separator != '\\'
}
