//go:build e2e

package terminal

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// style of some text: what it is written in on a terminal.
type style string

const (
	plain  style = ""
	prompt style = "prompt"
	typed  style = "typed"
)

// styles by the code that begins them, those of git's differences.
var styles = map[string]style{"": plain, "1": "bold", "31": "red", "32": "green", "36": "cyan"}

// line of a terminal, in pieces of one style each.
type line []piece

type piece struct {
	style style
	text  string
}

func (l line) String() string {
	var text strings.Builder
	for _, p := range l {
		text.WriteString(p.text)
	}
	return text.String()
}

// sequence that changes the style of what follows.
var sequence = regexp.MustCompile(`\x1b\[([0-9]*)m`)

// shown is what a terminal shows of a text. Lines that are too long go on in the next one.
func shown(t *testing.T, text string) (lines []line) {
	t.Helper()
	for whole := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		var row line
		var now style
		free := columns
		add := func(text string) {
			for runes := []rune(text); len(runes) > 0; {
				if free == 0 {
					lines, row, free = append(lines, row), nil, columns
				}
				n := min(free, len(runes))
				row, free, runes = append(row, piece{now, string(runes[:n])}), free-n, runes[n:]
			}
		}
		begin := 0
		for _, at := range sequence.FindAllStringSubmatchIndex(whole, -1) {
			add(whole[begin:at[0]])
			next, known := styles[whole[at[2]:at[3]]]
			if !known {
				t.Fatalf("%q: a style that the picture does not know", whole)
			}
			now, begin = next, at[1]
		}
		add(whole[begin:])
		if lines = append(lines, row); strings.ContainsFunc(row.String(), unicode.IsControl) {
			t.Fatalf("%q moves something on the terminal", whole)
		}
	}
	return lines
}
