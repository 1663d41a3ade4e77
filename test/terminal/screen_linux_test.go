//go:build e2e

package terminal

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// style is the style of a text in a terminal, and its CSS class in the picture.
type style string

const (
	plain  style = ""
	prompt style = "prompt"
	typed  style = "typed"
)

// styles are the styles in diffs of git, by the parameter of the escape sequence that starts them.
var styles = map[string]style{"": plain, "1": "bold", "31": "red", "32": "green", "36": "cyan"}

// line is a line of a terminal, in pieces of one style each.
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

// wrap splits a line that is longer than the terminal has columns.
func (l line) wrap() (lines []line) {
	var current line
	free := columns
	for _, p := range l {
		for runes := []rune(p.text); len(runes) > 0; {
			if free == 0 {
				lines = append(lines, current)
				current = nil
				free = columns
			}
			n := min(free, len(runes))
			current = append(current, piece{p.style, string(runes[:n])})
			runes = runes[n:]
			free -= n
		}
	}
	return append(lines, current)
}

// parseOutput returns the lines that a terminal displays for the output of a command.
func parseOutput(t *testing.T, output string) (lines []line) {
	t.Helper()
	for text := range strings.SplitSeq(strings.TrimSuffix(output, "\n"), "\n") {
		lines = append(lines, parseLine(t, text).wrap()...)
	}
	return lines
}

// escapeSequence matches the escape sequences that change the style of the following text.
var escapeSequence = regexp.MustCompile(`\x1b\[([0-9]*)m`)

// parseLine splits a line of output into pieces of one style. It fails the test on other escape sequences.
func parseLine(t *testing.T, text string) (pieces line) {
	t.Helper()
	current := plain
	start := 0
	for _, match := range escapeSequence.FindAllStringSubmatchIndex(text, -1) {
		pieces = append(pieces, piece{current, text[start:match[0]]})
		start = match[1]
		parameter := text[match[2]:match[3]]
		next, isKnown := styles[parameter]
		if !isKnown {
			t.Fatalf("%q has style %q, which the picture does not support", text, parameter)
		}
		current = next
	}
	pieces = append(pieces, piece{current, text[start:]})
	if strings.ContainsFunc(pieces.String(), unicode.IsControl) {
		t.Fatalf("%q has a control character that the picture does not support", text)
	}
	return pieces
}
