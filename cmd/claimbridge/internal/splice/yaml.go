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
	given := d.Text()
	text := given
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(bytes.Clone(text), '\n')
	}
	lines, err := cut(text)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, given: given, first: d.FirstLine(), lines: lines, seed: maphash.MakeSeed()}
	s.anchors = anchorsOf(d)
	first := manifest.Position{Line: d.FirstLine()}
	s.parse = func(text []byte) (is result, err error) {
		d, err := manifest.ParseText(text, first)
		if err != nil {
			return is, err
		}
		if d.Node() == nil {
			return is, fmt.Errorf("there is nothing left")
		}
		if is.object, err = d.Object(false); err != nil {
			return is, err
		}
		is.anchors = anchorsOf(d)
		is.comments, err = commentsOf(d)
		return is, err
	}
	b := yamlReader{source: s, anchors: map[*yaml.Node]*node{}, line: 1, col: 1}
	root, err := b.node(d.Node(), nil, -1)
	if err != nil {
		return nil, err
	}
	b.skip(len(text))
	s.root = root
	return s, nil
}

// yamlReader goes through the nodes of a document in the order of the text.
type yamlReader struct {
	*source
	done      int // offset up to which the text was read: comments before it are known
	line, col int // from 1, of the offset pos: where the last node began
	pos       int
	anchors   map[*yaml.Node]*node
	nodes     int
}

// refuse says that a text is not understood.
func (b *yamlReader) refuse(at int, format string, args ...any) error {
	return &NotInPlaceError{Reason: fmt.Sprintf(format, args...), Line: b.lineOf(at)}
}

// seek gives the offset of a line and a column, in characters, which must not be before the last ones.
func (b *yamlReader) seek(line, col int) (int, error) {
	if line > b.line {
		if line > len(b.lines.marks) {
			b.line, b.col, b.pos = line, 1, len(b.text)
			return b.pos, nil
		}
		b.line, b.col, b.pos = line, 1, b.lines.begins[line-1]
	}
	if line < b.line || col < b.col {
		return 0, b.refuse(b.pos, "the parser's positions are not in order")
	}
	for ; b.col < col && b.pos < len(b.text); b.col++ {
		b.pos++
		for b.pos < len(b.text) && b.text[b.pos]&0xc0 == 0x80 {
			b.pos++
		}
	}
	return b.pos, nil
}

// skip what is between values, and remembers the comments.
func (b *yamlReader) skip(to int) {
	for b.done < to {
		switch c := b.text[b.done]; c {
		case '#':
			begin := b.done
			for b.done < len(b.text) && breakAt(b.text, b.done) == 0 {
				b.done++
			}
			b.comments = append(b.comments, comment{begin, begin + len(bytes.TrimRight(b.text[begin:b.done], " \t"))})
		case '&', '!', '*', '%', '-', '.': // an anchor, a tag, a directive or a separator: a # in one is no comment
			for b.done < to && b.text[b.done] > ' ' {
				b.done++
			}
		default:
			b.done++
		}
	}
}

// blanks skips white space and comments.
func (b *yamlReader) blanks(at int) int {
	for at < len(b.text) {
		switch n := breakAt(b.text, at); {
		case n > 0:
			at += n
		case b.text[at] == ' ' || b.text[at] == '\t':
			at++
		case b.text[at] == '#':
			for at < len(b.text) && breakAt(b.text, at) == 0 {
				at++
			}
		default:
			return at
		}
	}
	return at
}

// properties skips the anchor and the tag of a value: after is where they end, and at where something else begins.
func (b *yamlReader) properties(begin int) (after, at int) {
	after, at = begin, begin
	for at < len(b.text) && (b.text[at] == '&' || b.text[at] == '!') {
		for at < len(b.text) && b.text[at] > ' ' && bytes.IndexByte([]byte(",[]{}"), b.text[at]) < 0 {
			at++
		}
		after, at = at, b.blanks(at)
	}
	return after, at
}

// anchorsOf a document, in their order.
func anchorsOf(d *manifest.Document) (found []remark) {
	if bytes.IndexByte(d.Text(), '&') < 0 {
		return nil
	}
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		if n.Anchor != "" {
			found = append(found, remark{n.Anchor, n.Line - 1 + d.FirstLine()})
		}
		for _, inner := range n.Content {
			look(inner)
		}
	}
	look(d.Node())
	return found
}
