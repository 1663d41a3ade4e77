package manifest

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// textStyle is how a string is written in a block of YAML.
type textStyle int

const (
	// otherText is for the library to write: it has line ends, or more than the printable characters of ASCII.
	otherText textStyle = iota
	plainText
	singleQuoted
	doubleQuoted
)

// styleOf a string of printable ASCII, as the library has it: plain where it can be, in double quotes where it would be
// read as something else than a string, else in single quotes.
func styleOf(text []byte) textStyle {
	if len(text) == 0 {
		return doubleQuoted
	}
	quoted := text[0] == ' ' || text[len(text)-1] == ' ' || strings.IndexByte("#,[]{}&*!|>'\"%@`", text[0]) >= 0 ||
		bytes.HasPrefix(text, []byte("---")) || bytes.HasPrefix(text, []byte("..."))
	colon := false
	for i, c := range text {
		switch {
		case c < ' ' || c > '~':
			return otherText
		case c == ':':
			colon = true
			quoted = quoted || blankAt(text, i+1)
		case c == '#':
			quoted = quoted || text[max(i-1, 0)] == ' '
		case i == 0 && (c == '?' || c == '-'):
			quoted = quoted || blankAt(text, 1)
		}
	}
	switch {
	case isNoString(text, colon):
		return doubleQuoted
	case quoted:
		return singleQuoted
	}
	return plainText
}

func blankAt(text []byte, i int) bool { return i == len(text) || text[i] == ' ' }

// isNoString tells whether a parser of YAML 1.1 or 1.2 would read a plain text as a boolean, a number, null or a time.
func isNoString(text []byte, colon bool) bool {
	if len(text) <= len("off") {
		if _, old := oldBools[string(text)]; old {
			return true
		}
	}
	if colon && isSexagesimal(string(text)) || string(text) == "=" || string(text) == "<<" {
		return true
	}
	if strings.IndexByte("tTfFnN~+-.0123456789", text[0]) < 0 {
		return false
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Value: string(text)}
	return n.ShortTag() != tagString
}

// appendStyled appends a string of a style that is not otherText.
func appendStyled(out, text []byte, style textStyle) []byte {
	switch style {
	case singleQuoted:
		return appendQuotedBy(out, text, '\'', "'")
	case doubleQuoted:
		return appendQuotedBy(out, text, '"', `"\`)
	}
	return append(out, text...)
}

// appendQuotedBy appends a text in quotes. Of the escaped characters a quote doubles in single quotes, and all have a
// backslash before them in double ones.
func appendQuotedBy(out, text []byte, quote byte, escaped string) []byte {
	out = append(out, quote)
	for _, c := range text {
		if strings.IndexByte(escaped, c) >= 0 {
			out = append(out, escaped[len(escaped)-1])
		}
		out = append(out, c)
	}
	return append(out, quote)
}
