package splice

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// scalar is at an offset; where it is empty, after is.
func (b *yamlReader) scalar(out *node, n *yaml.Node, after, at, indent int) error {
	value, isText, err := manifest.ReadScalar(n)
	if err != nil {
		return b.refuse(at, "a value %v", err)
	}
	out.isText, out.hash, out.quote = isText, sum(b.seed, isText, value), quoteOf(n)
	var end int
	switch {
	case out.quote == '"':
		end = b.endOf(doubleQuotes, at)
	case out.quote == '\'':
		end = b.endOf(singleQuotes, at)
	case out.quote == '|':
		b.skip(at)
		end = b.blockScalar(at, indent)
	case n.Value == "":
		at, end = after, after
	default:
		end = b.plain(at, n.Value)
	}
	if end < 0 {
		return b.refuse(at, "the end of a value is not found")
	}
	if out.quote != '|' {
		b.skip(at)
	}
	out.begin, out.end, b.done = at, end, end
	return nil
}

// quoteOf a scalar, which is | of both sorts of blocks.
func quoteOf(n *yaml.Node) byte {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return '"'
	case n.Style&yaml.SingleQuotedStyle != 0:
		return '\''
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return '|'
	}
	return 0
}

// Scalars in quotes, and aliases.
var (
	doubleQuotes = regexp.MustCompile(`^"(?:[^"\\]|\\(?s:.))*"`)
	singleQuotes = regexp.MustCompile(`^'(?:[^']|'')*'`)
	aliases      = regexp.MustCompile(`^\*[-\w]*`)
)

// endOf what begins at an offset, -1 where something else does.
func (b *yamlReader) endOf(what *regexp.Regexp, at int) int {
	if place := what.FindIndex(b.text[min(at, len(b.text)):]); place != nil {
		return at + place[1]
	}
	return -1
}

// plain finds the end by what the scalar says: in it but white space is written in another way.
func (b *yamlReader) plain(at int, value string) int {
	i := at
	for len(value) > 0 {
		if n := blank([]byte(value)); n > 0 {
			value = value[n:]
			for i < len(b.text) && blank(b.text[i:]) > 0 {
				i += blank(b.text[i:])
			}
			continue
		}
		_, n := utf8.DecodeRuneInString(value)
		if !bytes.HasPrefix(b.text[i:], []byte(value[:n])) {
			return -1
		}
		i, value = i+n, value[n:]
	}
	return i
}

// blank gives the length of the white space or line end that a text begins with, or 0.
func blank(text []byte) int {
	if len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		return 1
	}
	return breakAt(text, 0)
}

// blockScalar finds the end of a literal or folded scalar, without the line end behind it. Its parent is at a column.
func (b *yamlReader) blockScalar(at, indent int) int {
	if at >= len(b.text) || b.text[at] != '|' && b.text[at] != '>' {
		return -1
	}
	content, keep := -1, false
	i := at + 1
	for ; i < len(b.text) && b.text[i] > ' ' && b.text[i] != '#'; i++ {
		switch c := b.text[i]; {
		case c == '+':
			keep = true
		case c >= '1' && c <= '9':
			content = max(indent, 0) + int(c-'0')
		}
	}
	b.done = i
	line := b.lines.at(i)
	end := b.lines.begins[line+1]
	b.skip(end) // a comment behind the header
	end = lineEnd(b.text, end)
	for line++; line < len(b.lines.marks); line++ {
		begin, next := b.lines.begins[line], b.lines.begins[line+1]
		spaces := 0
		for begin+spaces < next && b.text[begin+spaces] == ' ' {
			spaces++
		}
		empty := breakAt(b.text, begin+spaces) > 0 || begin+spaces == next
		if content < 0 && !empty {
			content = max(spaces, indent+1)
		}
		switch {
		case empty && (content < 0 || spaces <= content):
			if !keep {
				continue // it is content only when more follows
			}
		case spaces < content:
			return end
		}
		end = lineEnd(b.text, next)
	}
	return end
}

// lineEnd gives where the line end before an offset begins.
func lineEnd(text []byte, after int) int {
	for back := 3; back > 0; back-- {
		if after-back >= 0 && breakAt(text[:after], after-back) == back {
			return after - back
		}
	}
	return after
}
