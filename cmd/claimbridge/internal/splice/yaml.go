package splice

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// readYAML finds the places of a document. The parser says where a value begins; where it ends is found here.
func readYAML(d *manifest.Document) (*source, error) {
	text := d.Text()
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(bytes.Clone(text), '\n')
	}
	lines, err := cut(text)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, given: d.Text(), first: d.FirstLine(), lines: lines, seed: maphash.MakeSeed()}
	r := reader{source: s, anchored: map[*yaml.Node]*node{}, line: 1, col: 1}
	s.root = r.node(d.Node(), nil, -1)
	r.pass(len(text))
	return s, r.err
}

// reader goes through the nodes of a document in the order of the text, until something is not understood.
type reader struct {
	*source
	done      int // offset up to which the text was read: comments before it are known
	line, col int // from 1, of the offset pos: where the last node began
	pos       int
	anchored  map[*yaml.Node]*node
	nodes     int
	err       error // the first one
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// refuse says that a text is not understood.
func (r *reader) refuse(at int, format string, args ...any) {
	r.fail(&NotInPlaceError{Reason: fmt.Sprintf(format, args...), Line: r.lineOf(at)})
}

// node reads a value that is in a block at a column, -1 at the top.
func (r *reader) node(n *yaml.Node, of *entry, indent int) *node {
	begin := r.seek(n.Line, n.Column)
	if begin < r.done { // an empty value is where the next thing is, or the last one was
		if n.Kind != yaml.ScalarNode || n.Value != "" {
			r.refuse(begin, "values overlap")
		}
		begin = r.done
	}
	if r.nodes++; r.nodes > maxNodes {
		r.fail(errTooMany)
	}
	after, at := r.properties(begin)
	out := &node{of: of, line: r.lineOf(begin), from: begin, begin: at, flow: n.Style&yaml.FlowStyle != 0}
	if r.err != nil {
		return out
	}
	if n.Anchor != "" {
		r.anchored[n] = out
		r.anchors = append(r.anchors, remark{n.Anchor, r.first + n.Line - 1})
	}
	if n.Kind&(yaml.MappingNode|yaml.SequenceNode) == 0 || out.flow || after > begin {
		r.pass(after) // else what is above the first entry is looked at with it
	}
	switch n.Kind {
	case yaml.AliasNode:
		r.alias(out, n)
	case yaml.MappingNode:
		out.kind = mapping
		r.collection(out, n.Content, 2, indent)
	case yaml.SequenceNode:
		out.kind = sequence
		r.collection(out, n.Content, 1, indent)
	default:
		r.scalar(out, n, after, indent)
	}
	return out
}

func (r *reader) alias(out *node, n *yaml.Node) {
	target := r.anchored[n.Alias]
	switch name := "*" + n.Value; {
	case !bytes.HasPrefix(r.text[out.begin:], []byte(name)):
		r.refuse(out.begin, "the end of an alias is not found")
	case target == nil:
		r.refuse(out.begin, "an alias stands for what is not before it")
	case target.end == 0:
		r.refuse(out.begin, "an alias stands in what it stands for")
	default:
		out.kind, out.hash, out.stands = alias, target.hash, target
		out.end = out.begin + len(name)
		r.done = out.end
	}
}

// seek gives the offset of a line and a column, in characters, which must not be before the last ones.
func (r *reader) seek(line, col int) int {
	if line > r.line {
		r.line, r.col, r.pos = line, 1, r.lines[min(line, len(r.lines))-1].begin
	}
	if line < r.line || col < r.col {
		r.refuse(r.pos, "the parser's positions are not in order")
	}
	for ; r.col < col && r.pos < len(r.text); r.col++ {
		r.pos++
		for r.pos < len(r.text) && r.text[r.pos]&0xc0 == 0x80 {
			r.pos++
		}
	}
	return r.pos
}

// pass what is between values, up to an offset, and remember the comments.
func (r *reader) pass(to int) {
	for r.done < to {
		begin := r.done
		switch r.text[begin] {
		case '#':
			r.done = lineEnd(r.text, begin)
			r.comments = append(r.comments, comment{begin: begin, end: begin + len(bytes.TrimRight(r.text[begin:r.done], " \t"))})
		case '&', '!', '*', '%', '-', '.': // an anchor, a tag, a directive or a separator: a # in one is no comment
			for r.done < to && r.text[r.done] > ' ' {
				r.done++
			}
		default:
			r.done++
		}
	}
}

// properties skips the anchor and the tag of a value: after is where they end, and at where something else begins.
func (r *reader) properties(begin int) (after, at int) {
	after, at = begin, begin
	for at < len(r.text) && (r.text[at] == '&' || r.text[at] == '!') {
		for at < len(r.text) && r.text[at] > ' ' && bytes.IndexByte([]byte(",[]{}"), r.text[at]) < 0 {
			at++
		}
		after, at = at, r.blanks(at)
	}
	return after, at
}

// blanks skips white space and comments.
func (r *reader) blanks(at int) int {
	for at < len(r.text) {
		switch n := blank(r.text[at:]); {
		case n > 0:
			at += n
		case r.text[at] == '#':
			at = lineEnd(r.text, at)
		default:
			return at
		}
	}
	return at
}

// blank gives the length of the white space or line end that a text begins with, or 0.
func blank(text []byte) int {
	if len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		return 1
	}
	return breakAt(text, 0)
}
