package manifest

import (
	"strings"

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

// MaxDepth of nested values: what encoding/json and the API server's decoder take.
const MaxDepth = maxDepth

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
	switch style := styleOf([]byte(s)); style {
	case otherText:
		return stringNode(s, true).Style == 0 && plainForeign(s)
	default:
		return style == plainText
	}
}

// plainForeign is for printable texts that are not ASCII: they are plain where the same text would be, had it but letters.
func plainForeign(s string) bool {
	return styleOf([]byte(strings.Map(func(r rune) rune {
		if r > '~' {
			return 'x'
		}
		return r
	}, s))) == plainText
}

// SuitsSingleQuotes reports whether single quotes can hold a text on one line.
func SuitsSingleQuotes(s string) bool { return printable(s) && !strings.ContainsAny(s, "\n\t") }

// NeedsDoubleQuotes reports whether a text would be read as something else than a text without quotes, for which double ones
// are used.
func NeedsDoubleQuotes(s string) bool { return styleOf([]byte(s)) == doubleQuoted }

// SuitsLiteral reports whether text of several lines can be a literal block that every parser reads alike.
func SuitsLiteral(s string) bool { return suitsBlock(s) }
