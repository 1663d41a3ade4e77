package yamledit

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// readYAML reads a document with its positions. The parser returns the beginnings of values; their ends are found here.
func readYAML(d *yamldoc.Document) (*source, error) {
	text := string(d.Text)
	if strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		return nil, notEditable(0, "a line ends with a carriage return alone: use line feeds")
	}
	lacksFinalNewline := !strings.HasSuffix(text, "\n")
	if lacksFinalNewline {
		text += "\n"
	}
	s, err := newSource(text, d.FirstLine)
	if err != nil {
		return nil, err
	}
	s.lacksFinalNewline = lacksFinalNewline
	r := reader{source: s, line: 1, col: 1}
	s.root = r.readNode(d.Node, nil, -1)
	r.advance(len(text))
	return s, r.err
}

// readNode reads a value in a block at the column indent, which is -1 at the top. owner is the entry that has the
// value, or nil.
func (r *reader) readNode(n *yaml.Node, owner *entry, indent int) *node {
	begin := r.seek(n.Line, n.Column)
	if begin < r.done { // an empty value has the position of the next value, or of the last one
		if n.Kind != yaml.ScalarNode || n.Value != "" {
			r.reject(begin, "values overlap")
		}
		begin = r.done
	}
	r.nodes++
	if r.nodes > maxNodes && r.err == nil {
		r.err = errTooManyNodes
	}
	propertiesEnd, valueBegin := r.skipProperties(begin)
	out := &node{
		owner: owner, line: r.lineOf(begin), outerBegin: begin, begin: valueBegin, isFlow: n.Style&yaml.FlowStyle != 0,
	}
	if r.err != nil {
		return out
	}
	if n.Anchor != "" {
		r.anchors = append(r.anchors, anchor{name: n.Anchor, line: r.firstLine + n.Line - 1})
	}
	isBlock := n.Kind&(yaml.MappingNode|yaml.SequenceNode) != 0 && !out.isFlow
	if !isBlock || propertiesEnd > begin { // otherwise the text above the first entry is read with that entry
		r.advance(propertiesEnd)
	}
	switch n.Kind {
	case yaml.AliasNode:
		r.reject(begin, "an alias is not edited: replace it with its value")
	case yaml.MappingNode, yaml.SequenceNode:
		out.kind = mapping
		if n.Kind == yaml.SequenceNode {
			out.kind = sequence
		}
		r.readCollection(out, n.Content, indent)
	default:
		r.readScalar(out, n, propertiesEnd, indent)
	}
	return out
}

// readCollection reads a mapping or a sequence, in brackets or as a block. parts are the keys and values of a mapping,
// or the items of a sequence.
func (r *reader) readCollection(out *node, parts []*yaml.Node, indent int) {
	brackets := out.brackets()
	lacksBraces := out.isFlow && !r.accept(out.begin, brackets[:1])
	if lacksBraces {
		out.whyNotEditable = "a pair in a sequence has no braces"
	}
	for len(parts) > 0 {
		e := &entry{parent: out}
		from := r.done // the end of the text that was read with earlier entries
		col := indent
		switch {
		case out.kind == mapping:
			if !out.isFlow {
				col = parts[0].Column - 1
			}
			r.readKey(e, parts[0], col)
			parts = parts[1:]
		case !out.isFlow:
			col = r.readDash(e)
		}
		e.value = r.readNode(parts[0], e, col)
		parts = parts[1:]
		out.entries = append(out.entries, e)
		if r.err != nil {
			return
		}
		if !out.isFlow {
			r.setExtent(out, e, from)
			continue
		}
		if out.kind == sequence {
			e.keyBegin, e.keyEnd = e.value.outerBegin, e.value.outerBegin
		}
		e.begin = e.keyBegin
		e.end = r.done
	}
	if out.isFlow {
		if !lacksBraces {
			r.closingBracket(out, brackets[1:])
		}
		out.end = r.done
	}
	r.setHash(out)
}

// closingBracket reads the bracket that closes a collection, and a comma before it.
func (r *reader) closingBracket(out *node, bracket string) {
	end := r.skipBlanks(r.done)
	if strings.HasPrefix(r.text[end:], ",") {
		end = r.skipBlanks(end + 1)
	}
	if !r.accept(end, bracket) {
		r.reject(out.begin, "the end of brackets is not found")
	}
}

// readKey reads a key and its colon.
func (r *reader) readKey(e *entry, key *yaml.Node, indent int) {
	name := r.readNode(key, nil, indent)
	e.key = key.Value
	e.keyBegin = name.outerBegin
	e.keyEnd = r.done
	if yamldoc.IsMergeKey(key) {
		r.reject(name.outerBegin, "a merge key is not edited: replace it with the fields that it adds")
	}
	if key.Kind != yaml.ScalarNode || !name.isText {
		e.parent.whyNotEditable = cmp.Or(e.parent.whyNotEditable, "a key is not a string")
	}
	between := " \t"
	if e.parent.isFlow {
		between = white
	}
	if !r.accept(r.skip(r.done, between), ":") {
		e.parent.whyNotEditable = cmp.Or(e.parent.whyNotEditable, "a key has no colon behind it on its line")
	}
}

// readDash reads the dash of an item, and returns its column.
func (r *reader) readDash(e *entry) int {
	at := r.skipBlanks(r.done)
	if !r.accept(at, "-") {
		r.reject(at, "the dash of an item is not found")
	}
	e.keyBegin, e.keyEnd = at, at+1
	return at - r.lines.lineAt(at).begin
}
