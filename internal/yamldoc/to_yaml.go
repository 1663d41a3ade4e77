package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// WriteYAML writes JSON as block YAML in the style of kubectl: an indentation of two, and sequences not indented under
// their key. Keys keep their order. Strings that YAML 1.1 or 1.2 would read as another type are quoted.
func WriteYAML(w io.Writer, value []byte) error {
	if !jsontext.Value(value).IsValid(jsontext.AllowDuplicateNames(true)) { // the scanner accepts invalid UTF-8
		return errors.New("is not JSON")
	}
	return writeInChunks(w, value, maxChunk)
}

// maxChunk is the size in bytes of JSON that is written at once. The nodes of YAML take up to 200 times that memory.
const maxChunk = 1 << 20

// writeInChunks writes a list that is larger than a chunk in chunks of items. In block style, the text is that of the
// whole list.
func writeInChunks(w io.Writer, value []byte, chunkSize int) error {
	s := objectjson.NewScanner(value)
	if _, kind := TypeOf(value); len(value) <= chunkSize || !strings.HasSuffix(kind, "List") {
		return writeNode(w, nodeOf(&s))
	}
	for name := range s.Members() {
		key := stringNode(name, true)
		var err error
		if name == "items" && s.Is('[') {
			err = writeItems(w, key, &s, chunkSize)
		} else {
			err = writeNode(w, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, nodeOf(&s)}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeItems writes the items of a list. The first chunk is written with the key. Sequences are not indented under
// their key, so the other chunks are written as sequences at the top level.
func writeItems(w io.Writer, key *yaml.Node, s *objectjson.Scanner, chunkSize int) error {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	chunk := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, list}}
	begin := s.Begin()
	for range s.Elements() {
		list.Content = append(list.Content, nodeOf(s))
		if s.End()-begin < chunkSize {
			continue
		}
		if err := writeNode(w, chunk); err != nil {
			return err
		}
		list = &yaml.Node{Kind: yaml.SequenceNode}
		chunk, begin = list, s.End()
	}
	if chunk == list && len(list.Content) == 0 {
		return nil
	}
	return writeNode(w, chunk)
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

// nodeOf reads the next value. The scanner limits the nesting.
func nodeOf(s *objectjson.Scanner) *yaml.Node {
	n := &yaml.Node{}
	switch {
	case s.Is('{'):
		n.Kind = yaml.MappingNode
		for name := range s.Members() {
			n.Content = append(n.Content, stringNode(name, true), nodeOf(s))
		}
	case s.Is('['):
		n.Kind = yaml.SequenceNode
		for range s.Elements() {
			n.Content = append(n.Content, nodeOf(s))
		}
	case s.Is('"'):
		return stringNode(objectjson.StringOf(s.Value()), false)
	default: // numbers keep their digits; true, false and null are the same in both
		n.Kind, n.Value = yaml.ScalarNode, string(s.Value())
	}
	return n
}

func stringNode(s string, key bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tagString, Value: s}
	_, isOldBool := oldBools[s]
	switch {
	// YAML 1.1 may read 1:30 as 90
	case isOldBool, s == "=", s == "<<", strings.Contains(s, ":") && strings.Trim(s, "+-0123456789:._") == "":
		n.Style = yaml.DoubleQuotedStyle
	case !strings.ContainsAny(s, "\n\r\t\u0085\u2028\u2029\ufeff") && isPrintable(s):
		// The writer quotes what needs it.
	case !key && SuitsLiteral(s):
		n.Style = yaml.LiteralStyle
	default:
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// QuoteOf returns the quote character that a text on one line has in block YAML, or 0 for none. Names of fields are
// decided without the YAML writer, which is slow. Printable characters of all alphabets are written like those of
// ASCII, although the YAML writer would quote some.
func QuoteOf(s string) byte {
	s = strings.Map(func(r rune) rune {
		if r > '~' && unicode.IsPrint(r) {
			return 'x'
		}
		return r
	}, s)
	if strings.Trim(s, letters) == "" && tagOf(&yaml.Node{Kind: yaml.ScalarNode, Value: s}) == tagString {
		return 0
	}
	var b bytes.Buffer
	if err := writeNode(&b, stringNode(s, true)); err != nil {
		return '"' // double quotes can hold any text
	}
	if first := b.Bytes()[0]; first == '"' || first == '\'' {
		return first
	}
	return 0
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

var edgeWhiteSpace = regexp.MustCompile(`^[ \t\n]|[ \t]\n|[ \t]$`)

// SuitsLiteral reports whether a text of several lines can be a literal block that every parser reads alike: without
// white space at the beginning or before a line end, and without characters that must be escaped.
func SuitsLiteral(s string) bool {
	return strings.Contains(s, "\n") && !edgeWhiteSpace.MatchString(s) &&
		!strings.ContainsAny(s, "\r\u0085\u2028\u2029\ufeff") && isPrintable(s)
}

// SuitsSingleQuotes reports whether a text on one line can be in single quotes.
func SuitsSingleQuotes(s string) bool { return isPrintable(s) && !strings.ContainsAny(s, "\n\t") }

func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) })
}
