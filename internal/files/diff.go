package files

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns the difference of two texts of a file in the format of git diff, which git apply accepts. Names are
// below a/ and b/. It is nil if the texts are equal.
func Diff(name string, oldText, newText []byte) []byte {
	name = filepath.ToSlash(filepath.Clean(name))
	name = strings.TrimPrefix(name, "/")
	a, b := Quote("a/"+name), Quote("b/"+name)
	_, hunks, _ := bytes.Cut(diff.Diff("", oldText, "", newText), []byte("@@ "))
	if len(hunks) == 0 {
		return nil
	}
	end := "\n"
	if strings.Contains(a, " ") && a[0] != '"' { // git ends a name with spaces in this way
		end = "\t\n"
	}
	return append([]byte("diff --git "+a+" "+b+"\n--- "+a+end+"+++ "+b+end+"@@ "), hunks...)
}

// Escape sequences of the colors that git uses.
const (
	bold, red, green, cyan = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m"
	reset                  = "\x1b[m"
)

// Patterns of the lines that have a color: those of the header, and those of the hunks.
var (
	headerLine = regexp.MustCompile(`(?m)^.+$`)
	hunkLine   = regexp.MustCompile(`(?m)^[-+@].*$`)
)

// Colorize returns a difference with the colors of git, for a terminal.
func Colorize(text []byte) []byte {
	header, hunks, _ := bytes.Cut(text, []byte("\n@@ "))
	hunks = hunkLine.ReplaceAllFunc(append([]byte("@@ "), hunks...), func(line []byte) []byte {
		text := bytes.TrimRight(line, "\r")
		color := map[byte]string{'@': cyan, '-': red, '+': green}[line[0]]
		return slices.Concat([]byte(color), text, []byte(reset), line[len(text):])
	})
	return slices.Concat(headerLine.ReplaceAll(header, []byte(bold+"$0"+reset)), []byte("\n"), hunks)
}

// Quote returns a name as git prints it. A name with special characters, which could end it or control a terminal, is
// in quotes and escaped as in C. Other names are unchanged.
func Quote(name string) string {
	if !strings.ContainsFunc(name, mustEscape) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range name { // a name may not be UTF-8
		_, size := utf8.DecodeRuneInString(name[i:])
		switch short := strings.IndexRune("\a\b\t\n\v\f\r\"\\", r); {
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[short])
		case mustEscape(r):
			for _, c := range []byte(name[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// mustEscape reports whether a character has to be escaped: control and format characters (such as those that change
// the direction of text), line ends, quotes, and backslashes unless they separate directories.
func mustEscape(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) ||
		r == '"' || r == '\\' && filepath.Separator != '\\'
}
