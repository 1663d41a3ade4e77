package manifest

import (
	"bytes"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// What an editor of texts needs: nodes with their places, and how scalars are read and written.

// ParseText makes a Document of the text of one, which is YAML.
func ParseText(text []byte, at Position) (*Document, error) {
	d := &Document{Position: at, text: text, first: max(at.Line, 1)}
	return d, d.Parse()
}

// Node of a document of YAML that was parsed, else nil. Its lines count from the first one of Text.
func (d *Document) Node() *yaml.Node { return d.node }

// FirstLine is the line in the file where Text begins.
func (d *Document) FirstLine() int { return d.first }

// IsMergeKey reports whether a key of a mapping is one that brings in others.
func IsMergeKey(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && tagOf(n) == tagMerge }

// ReadScalar gives what a scalar of YAML says: a text, or JSON that is none.
func ReadScalar(n *yaml.Node) (value string, isText bool, err error) {
	switch tagOf(n) {
	case tagString, tagMerge:
		return n.Value, true, nil
	}
	raw, err := appendScalar(nil, n)
	return string(raw), false, err
}

// PlainText reports whether a text is written without quotes in a block of YAML.
func PlainText(s string) bool {
	first := firstWritten(s)
	return first != '"' && first != '\'' && first != '|'
}

// NeedsDoubleQuotes reports whether a text would be read as something else than a text without quotes, for which double ones
// are used.
func NeedsDoubleQuotes(s string) bool { return firstWritten(s) == '"' }

// firstWritten gives what a text begins with in a block of YAML. The writer knows, and names of fields are worth no writer. Printable
// letters of any alphabet are written as those of ASCII are, where the writer would quote some.
func firstWritten(s string) byte {
	s = strings.Map(func(r rune) rune {
		if r > '~' && unicode.IsPrint(r) {
			return 'x'
		}
		return r
	}, s)
	if strings.Trim(s, letters) == "" && tagOf(&yaml.Node{Kind: yaml.ScalarNode, Value: s}) == tagString {
		return s[0]
	}
	var b bytes.Buffer
	if err := writeNode(&b, stringNode(s, true)); err != nil {
		return '"' // which holds any text
	}
	return b.Bytes()[0]
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// SuitsSingleQuotes reports whether single quotes can hold a text on one line.
func SuitsSingleQuotes(s string) bool { return printable(s) && !strings.ContainsAny(s, "\n\t") }

// SuitsLiteral reports whether text of several lines can be a literal block that every parser reads alike.
func SuitsLiteral(s string) bool { return suitsBlock(s) }
