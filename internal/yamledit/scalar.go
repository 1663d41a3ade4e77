package yamledit

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

var quotedScalar = regexp.MustCompile(`^(?:"(?:[^"\\]|\\(?s:.))*"|'(?:[^']|'')*')`)

// readScalar finds the end of a scalar. An empty scalar begins and ends at propertiesEnd, after its anchor and tag.
func (r *reader) readScalar(out *node, n *yaml.Node, propertiesEnd, indent int) {
	value, isText, err := yamldoc.ReadScalar(n)
	if err != nil {
		r.reject(out.begin, "a value %v", err)
	}
	out.isText = isText
	out.hash = r.hash(hashInput{isText: isText, text: value})
	out.end = -1
	switch style := n.Style &^ yaml.TaggedStyle; {
	case style == 0 && n.Value == "":
		out.begin, out.end = propertiesEnd, propertiesEnd
	case style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		out.quote = '|'
		out.end = r.blockScalarEnd(out.begin, indent)
	case style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if text := quotedScalar.FindString(r.text[out.begin:]); text != "" {
			out.quote = text[0]
			out.end = out.begin + len(text)
		}
	default:
		out.end = r.plainScalarEnd(out.begin, n.Value)
	}
	if out.end < 0 {
		r.reject(out.begin, "the end of a value is not found")
		return
	}
	r.advance(out.begin)
	r.done = out.end
}

// plainScalarEnd finds the end of a plain scalar by its value: only white space is written differently. It returns -1
// if the text differs.
func (r *reader) plainScalarEnd(at int, value string) int {
	for _, word := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(white, c) }) {
		if at = r.skip(at, white); !strings.HasPrefix(r.text[at:], word) {
			return -1
		}
		at += len(word)
	}
	return at
}

// blockScalarEnd finds the end of a literal or folded scalar, without the last line end. indent is the column of its
// parent.
func (r *reader) blockScalarEnd(at, indent int) (end int) {
	if !r.accept(at, "|") && !r.accept(at, ">") {
		return -1
	}
	content := -1 // the column of the text, once it is known
	keep := false // blank lines at the end are part of the text
	for ; r.text[r.done] > ' ' && r.text[r.done] != '#'; r.done++ {
		switch c := r.text[r.done]; {
		case c == '+':
			keep = true
		case c >= '1' && c <= '9':
			content = max(indent, 0) + int(c-'0')
		}
	}
	header := r.lines.indexAt(r.done)
	end = r.lines[header].end
	r.advance(end) // a comment behind the header
	for _, l := range r.lines[header+1 : len(r.lines)-1] {
		spaces := r.skip(l.begin, " ") - l.begin
		empty := l.begin+spaces == l.end
		if content < 0 && !empty {
			content = max(spaces, indent+1)
		}
		switch {
		case empty && (content < 0 || spaces <= content):
			if !keep {
				continue // blank lines are content only if text follows
			}
		case spaces < content:
			return end
		}
		end = l.end
	}
	return end
}
