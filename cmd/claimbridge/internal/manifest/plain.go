package manifest

import (
	"go.yaml.in/yaml/v3"
)

// maxPlainDepth of what readPlain takes: claims are twelve deep, and deeper texts are for the parser, which bounds itself.
const maxPlainDepth = 64

// readPlain reads YAML as people write most of it: blocks of mappings and sequences, and values on one line or in a literal block. It
// gives the nodes that the parser would, without the comments, in a tenth of the time; nil for any other text, be it wrong or only
// unusual, which is for the parser to read. Whatever is not certain is unusual: texts of several lines without quotes, escapes, flow
// style, anchors, tags, tabs, keys of several words, and a second document.
//
// A fuzz test compares its nodes with the parser's.
func readPlain(text []byte) *yaml.Node {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil
	}
	r := plainReader{text: string(text)}
	r.line(0)
	if r.indent != 0 || r.isDash() {
		return nil
	}
	root := r.mapping(0, 0)
	if r.failed || r.at < len(r.text) {
		return nil
	}
	return root
}

// plainReader stands before the first value or key of a line, or at the end of the text.
type plainReader struct {
	text   string
	begin  int // of the line
	number int // of the line, from 1
	indent int // of the line in spaces, -1 at the end
	at     int // where it stands; what it reads next
	began  bool
	failed bool
	nodes  []yaml.Node
}

// line goes to the next one, from its beginning on, that says something.
func (r *plainReader) line(begin int) {
	for r.begin = begin; r.begin < len(r.text); {
		r.number++
		r.at = r.begin
		for r.text[r.at] == ' ' {
			r.at++
		}
		r.indent = r.at - r.begin
		switch c := r.text[r.at]; {
		case c == '\n':
			r.at++
		case c == '#':
			r.comment()
		case r.indent == 0 && c == '-' && !r.began && len(r.text) > r.at+4 && r.text[r.at:r.at+4] == "---\n":
			r.at, r.began = r.at+4, true
		default:
			r.began = true
			return
		}
		if r.failed {
			break
		}
		r.begin = r.at
	}
	r.at, r.indent = len(r.text), -1
}

// comment up to the beginning of the next line.
func (r *plainReader) comment() { _, r.at = r.rest(r.at) }

// end of a line behind a value: the reader goes on with the next.
func (r *plainReader) end(at int) {
	spaces := 0
	for ; r.text[at] == ' '; at++ {
		spaces++
	}
	switch {
	case r.text[at] == '#' && spaces > 0:
		r.at = at
		r.comment()
	case r.text[at] == '\n':
		r.at = at + 1
	default:
		r.failed = true
	}
	if !r.failed {
		r.line(r.at)
	}
}

func (r *plainReader) isDash() bool {
	return r.indent >= 0 && r.text[r.at] == '-' && (r.text[r.at+1] == ' ' || r.text[r.at+1] == '\n')
}

// mapping whose keys stand at a column.
func (r *plainReader) mapping(col, depth int) *yaml.Node {
	m := r.node(yaml.MappingNode, r.at)
	m.Tag = "!!map"
	for {
		begin := r.at
		colon := r.key(begin)
		if colon < 0 || depth > maxPlainDepth {
			r.failed = true
			return m
		}
		key := r.scalarNode(begin, r.text[begin:colon], 0)
		value := r.value(colon+1, col, depth)
		m.Content = append(m.Content, key, value)
		if r.failed || r.indent != col || r.isDash() {
			return m
		}
	}
}

// value of a key whose colon ends at an offset.
func (r *plainReader) value(at, col, depth int) *yaml.Node {
	for ; r.text[at] == ' '; at++ {
	}
	if c := r.text[at]; c != '\n' && c != '#' {
		return r.scalar(at, col)
	}
	nothing := r.scalarNode(r.colonBefore(at), "", 0)
	r.end(r.colonBefore(at))
	switch {
	case r.failed:
		return nothing
	case r.indent >= col && r.isDash():
		return r.sequence(r.indent, depth+1)
	case r.indent > col:
		return r.mapping(r.indent, depth+1)
	}
	return nothing
}

// colonBefore gives where the colon ends behind which there is nothing but spaces up to an offset.
func (r *plainReader) colonBefore(at int) int {
	for r.text[at-1] == ' ' {
		at--
	}
	return at
}

// sequence whose dashes stand at a column.
func (r *plainReader) sequence(col, depth int) *yaml.Node {
	s := r.node(yaml.SequenceNode, r.at)
	s.Tag = "!!seq"
	for {
		at := r.at + 1
		for ; r.text[at] == ' '; at++ {
		}
		if r.at = at; r.key(at) >= 0 {
			s.Content = append(s.Content, r.mapping(at-r.begin, depth+1))
		} else {
			s.Content = append(s.Content, r.scalar(at, col))
		}
		if r.failed || r.indent != col || !r.isDash() {
			return s
		}
	}
}
