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

// Diff is how a text differs from what it was, as git shows it and git apply takes it, with names below a/ and b/.
func Diff(name string, oldText, newText []byte) []byte {
	name = filepath.ToSlash(filepath.Clean(name))
	name = strings.TrimPrefix(name, "/")
	a, b := Quote("a/"+name), Quote("b/"+name)
	_, hunks, _ := bytes.Cut(diff.Diff("", oldText, "", newText), []byte("@@ "))
	if len(hunks) == 0 {
		return nil
	}
	end := "\n"
	if strings.Contains(a, " ") && a[0] != '"' { // as git ends a name that has spaces in it
		end = "\t\n"
	}
	return append([]byte("diff --git "+a+" "+b+"\n--- "+a+end+"+++ "+b+end+"@@ "), hunks...)
}

// Colors of git.
const (
	bold, red, green, cyan = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m"
	reset                  = "\x1b[m"
)

// lines of a difference that have a color.
var (
	headerLine = regexp.MustCompile(`(?m)^.+$`)
	hunkLine   = regexp.MustCompile(`(?m)^[-+@].*$`)
)

// Colored is a difference for a terminal.
func Colorize(text []byte) []byte {
	header, hunks, _ := bytes.Cut(text, []byte("\n@@ "))
	hunks = hunkLine.ReplaceAllFunc(append([]byte("@@ "), hunks...), func(line []byte) []byte {
		text := bytes.TrimRight(line, "\r")
		color := map[byte]string{'@': cyan, '-': red, '+': green}[line[0]]
		return slices.Concat([]byte(color), text, []byte(reset), line[len(text):])
	})
	return slices.Concat(headerLine.ReplaceAll(header, []byte(bold+"$0"+reset)), []byte("\n"), hunks)
}

// Quoted is a name as git quotes one that has a letter which could end it, or tell a terminal what
// to do: in quotes, and escaped as in C. Others stay as they are.
func Quote(name string) string {
	if !strings.ContainsFunc(name, mustEscape) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range name { // it need not be UTF-8
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

// special letters have to be escaped: of control, of format, as those that turn the direction, and
// ends of lines. Where folders are parted by a backslash it is none.
func mustEscape(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) ||
		r == '"' || r == '\\' && filepath.Separator != '\\'
}
