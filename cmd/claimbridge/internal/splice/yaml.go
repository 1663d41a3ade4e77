package splice

import (
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// readYAML finds the places of a document. The parser says where a value begins; where it ends is found here.
func readYAML(d *manifest.Document) (*source, error) {
	text := string(d.Text())
	cutShort := !strings.HasSuffix(text, "\n")
	if cutShort {
		text += "\n"
	}
	lines, err := cut(text)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, cutShort: cutShort, first: d.FirstLine(), lines: lines, seed: maphash.MakeSeed()}
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

// refuse says that a text is not understood.
func (r *reader) refuse(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &NotInPlaceError{Reason: fmt.Sprintf(format, args...), Line: r.lineOf(at)}
	}
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
	if r.nodes++; r.nodes > maxNodes && r.err == nil {
		r.err = errTooMany
	}
	after, at := r.properties(begin)
	out := &node{of: of, line: r.lineOf(begin), from: begin, begin: at, flow: n.Style&yaml.FlowStyle != 0}
	if r.err != nil {
		return out
	}
	if n.Anchor != "" {
		r.anchored[n] = out
		r.anchors = append(r.anchors, remark{text: n.Anchor, line: r.first + n.Line - 1})
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
	out.kind, out.stands, out.end = alias, r.anchored[n.Alias], out.begin+len("*"+n.Value)
	switch {
	case out.stands == nil || out.stands.end == 0:
		r.refuse(out.begin, "an alias stands in what it stands for")
	case out.end > len(r.text):
		r.refuse(out.begin, "the end of an alias is not found")
	default:
		out.hash, r.done = out.stands.hash, out.end
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
		_, size := utf8.DecodeRuneInString(r.text[r.pos:])
		r.pos += size
	}
	return r.pos
}

// pass what is between values, up to an offset, and remember the comments.
func (r *reader) pass(to int) {
	for r.done < to {
		begin := r.done
		switch r.text[begin] {
		case '#':
			r.done, _ = lineEnd(r.text, begin)
			text := strings.TrimRight(r.text[begin:r.done], " \t")
			r.comments = append(r.comments, remark{text: text, line: r.lineOf(begin), begin: begin, end: begin + len(text)})
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
		for r.text[at] > ' ' && !strings.ContainsRune(",[]{}", rune(r.text[at])) {
			at++
		}
		after, at = at, r.blanks(at)
	}
	return after, at
}

// blanks skips white space and comments.
func (r *reader) blanks(at int) int {
	for {
		if at = r.skip(at, white); !strings.HasPrefix(r.text[at:], "#") {
			return at
		}
		at, _ = lineEnd(r.text, at)
	}
}

func (r *reader) skip(at int, what string) int {
	return len(r.text) - len(strings.TrimLeft(r.text[at:], what))
}
