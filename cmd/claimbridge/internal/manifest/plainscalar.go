package manifest

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

func (r *plainReader) node(kind yaml.Kind, at int) *yaml.Node {
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]yaml.Node, 0, min(max(len(r.text)/16, 8), 256)) // two nodes a line
	}
	r.nodes = append(r.nodes, yaml.Node{Kind: kind, Line: r.number, Column: at - r.begin + 1})
	return &r.nodes[len(r.nodes)-1]
}

// scalarNode of a value at an offset of the line.
func (r *plainReader) scalarNode(at int, value string, style yaml.Style) *yaml.Node {
	n := r.node(yaml.ScalarNode, at)
	n.Value, n.Style = value, style
	n.Tag = n.ShortTag()
	return n
}

// key gives where the colon is behind a key of one word, or -1.
func (r *plainReader) key(begin int) int {
	const longest = 1000 // the parser takes 1024
	if !isWordStart(r.text[begin]) {
		return -1
	}
	for at := begin; r.text[at] > ' ' && r.text[at] <= '~' && at-begin < longest; at++ {
		if r.isColon(at) {
			return at
		}
	}
	return -1
}

// isColon reports whether a colon ends a key, which needs white space behind it.
func (r *plainReader) isColon(at int) bool {
	return r.text[at] == ':' && (r.text[at+1] == ' ' || r.text[at+1] == '\n')
}

// isWordStart tells what begins a text, and means nothing to YAML.
func isWordStart(c byte) bool {
	return c == '_' || c == '.' || c == '/' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scalar at an offset of the line, of a mapping or sequence at a column.
func (r *plainReader) scalar(at, col int) *yaml.Node {
	switch c := r.text[at]; {
	case c == '|':
		return r.literal(at, col)
	case c == '"' || c == '\'':
		return r.quoted(at, col, c)
	case strings.HasPrefix(r.text[at:], "{}\n"):
		n := r.node(yaml.MappingNode, at)
		n.Tag, n.Style = "!!map", yaml.FlowStyle
		return r.inline(n, at+2)
	case strings.HasPrefix(r.text[at:], "[]\n"):
		n := r.node(yaml.SequenceNode, at)
		n.Tag, n.Style = "!!seq", yaml.FlowStyle
		return r.inline(n, at+2)
	case !isWordStart(c):
		r.failed = true
		return nil
	}
	end := at
	for last := byte(0); ; end++ {
		c := r.text[end]
		if c == '\n' || c == '#' && last == ' ' {
			break
		}
		if c < ' ' || c > '~' || r.isColon(end) {
			r.failed = true
			return nil
		}
		last = c
	}
	for r.text[end-1] == ' ' {
		end--
	}
	return r.inline(r.scalarNode(at, r.text[at:end], 0), end)
}

// inline ends a value on its line. What follows deeper would go on with it: it stands at the column of no block, and so nothing takes it.
func (r *plainReader) inline(n *yaml.Node, end int) *yaml.Node {
	r.end(end)
	return n
}

// quoted text without escapes. Lines are folded as libraries fold long ones: a line end stands for a space.
func (r *plainReader) quoted(at, col int, quote byte) *yaml.Node {
	style := yaml.DoubleQuotedStyle
	if quote == '\'' {
		style = yaml.SingleQuotedStyle
	}
	n := r.scalarNode(at, "", style)
	begin := at + 1
	for at = begin; r.text[at] != quote; at++ {
		switch c := r.text[at]; {
		case c == '\n':
			n.Value += strings.TrimRight(r.text[begin:at], " ") + " "
			for begin = at + 1; begin < len(r.text) && r.text[begin] == ' '; begin++ {
			}
			if begin == len(r.text) || r.text[begin] == '\n' || begin-at-1 <= col {
				r.failed = true
				return n
			}
			r.number++
			at = begin - 1
		case c < ' ' || c > '~' || c == '\\' && quote == '"':
			r.failed = true
			return n
		}
	}
	n.Value += r.text[begin:at]
	return r.inline(n, at+1) // which refuses another quote behind it
}

// literal block: lines that are indented alike or deeper, without blank ones before them.
func (r *plainReader) literal(at, col int) *yaml.Node {
	begin, strip := at+2, r.text[at+1] == '-'
	if strip {
		begin++
	}
	n := r.scalarNode(at, "", yaml.LiteralStyle)
	if r.text[begin-1] != '\n' {
		r.failed = true
		return n
	}
	indent := 0
	for begin+indent < len(r.text) && r.text[begin+indent] == ' ' {
		indent++
	}
	var value strings.Builder
	blank := 0
	for begin < len(r.text) && !r.failed {
		if r.text[begin] == '\n' {
			blank, begin, r.number = blank+1, begin+1, r.number+1
			continue
		}
		spaces := 0
		for spaces < indent && r.text[begin+spaces] == ' ' {
			spaces++
		}
		if spaces < indent {
			r.failed = r.text[begin+spaces] == '\n' // spaces and nothing else
			break
		}
		var line string
		line, begin = r.rest(begin + indent)
		r.number++
		value.WriteString(strings.Repeat("\n", blank))
		value.WriteString(line)
		blank = 0
		r.failed = r.failed || strings.TrimLeft(line, " ") == "\n"
	}
	n.Value = value.String()
	if strip {
		n.Value = strings.TrimSuffix(n.Value, "\n")
	}
	if indent <= col || n.Value == "" {
		r.failed = true
	}
	r.line(begin)
	return n
}

// rest of a line, with its end, and where the next begins. It may have any letters, but no line ends of other sorts, which the parser
// knows, and nothing that may not stand in YAML.
func (r *plainReader) rest(at int) (line string, next int) {
	next = at + strings.IndexByte(r.text[at:], '\n') + 1
	line = r.text[at:next]
	for i := 0; i < len(line)-1; {
		if c := line[i]; c < utf8.RuneSelf {
			r.failed = r.failed || c < ' ' || c > '~'
			i++
			continue
		}
		c, n := utf8.DecodeRuneInString(line[i:])
		if c < 0xa0 || c == utf8.RuneError || c == '\u2028' || c == '\u2029' || c == '\ufeff' || c >= 0xfffe {
			r.failed = true
		}
		i += n
	}
	return line, next
}
