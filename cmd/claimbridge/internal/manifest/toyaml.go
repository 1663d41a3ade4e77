package manifest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// WriteYAML writes JSON as a block of YAML in the style of kubectl: an indentation of two, sequences not indented
// under their key. Keys keep their order. Strings that YAML 1.1 or 1.2 would read as something else are quoted.
func WriteYAML(w io.Writer, value []byte) error {
	node, err := nodeOf(jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true)))
	if err != nil {
		return plain(err)
	}
	return writeNode(w, node)
}

func writeNode(w io.Writer, node *yaml.Node) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(node); err != nil {
		return fmt.Errorf("cannot be written as YAML: %w", err)
	}
	return enc.Close()
}

// nodeOf reads the next value. The decoder bounds how deep it can be nested.
func nodeOf(dec *jsontext.Decoder) (*yaml.Node, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		n := &yaml.Node{Kind: yaml.MappingNode}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := stringNode(name.String(), true)
			value, err := nodeOf(dec)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, key, value)
		}
		_, err = dec.ReadToken()
		return n, err
	case '[':
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for dec.PeekKind() != ']' {
			value, err := nodeOf(dec)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, value)
		}
		_, err = dec.ReadToken()
		return n, err
	case '"':
		return stringNode(token.String(), false), nil
	default: // numbers keep their digits; true, false and null are the same in both
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
	}
}

func stringNode(s string, key bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tagString, Value: s}
	_, old := oldBools[s]
	switch {
	case old, isSexagesimal(s), s == "=", s == "<<":
		n.Style = yaml.DoubleQuotedStyle
	case !strings.ContainsAny(s, "\n\r\t\u0085\u2028\u2029\ufeff") && printable(s):
		// The writer quotes what needs it.
	case !key && suitsBlock(s):
		n.Style = yaml.LiteralStyle
	default:
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// isSexagesimal reports whether a YAML 1.1 parser may read 1:30 as 90.
func isSexagesimal(s string) bool {
	return strings.Contains(s, ":") && strings.Trim(s, "+-0123456789:._") == ""
}

// suitsBlock reports whether text of several lines can be a literal block that every parser reads alike: without white
// space at the beginning or before a line end, and without characters that have to be escaped.
func suitsBlock(s string) bool {
	if !strings.Contains(s, "\n") || strings.ContainsAny(s[:1], " \t\n") ||
		strings.Contains(s, " \n") || strings.Contains(s, "\t\n") || strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\t") {
		return false
	}
	return !strings.ContainsAny(s, "\r\u0085\u2028\u2029\ufeff") && printable(s)
}

func printable(s string) bool {
	for _, r := range s {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
