package yamledit

import "strings"

// style is the author's style of a document.
type style struct {
	eol          string // line end
	step         int    // columns by which a mapping in a mapping is indented
	sequence     int    // columns by which a sequence in a mapping is indented
	dash         int    // columns from a dash to its value
	flowIndent   string // one step of indentation in brackets
	colon        string // the text after a key in brackets
	comma        string // the text between entries in brackets on one line
	bracePadding string // the space within braces
}

// styleOf returns the style of a document, from the first example of each property; the default is that of kubectl.
func styleOf(s *source) style {
	out := style{eol: "\n", step: 2, dash: 2, flowIndent: "  ", colon: ": ", comma: ", "}
	if i := strings.IndexByte(s.text, '\n'); i > 0 && s.text[i-1] == '\r' {
		out.eol = "\r\n"
	}
	l := stylist{source: s, style: &out, seen: map[any]bool{}}
	l.learnFrom(s.root)
	if s.isJSON {
		if first := s.root.entries; len(first) > 0 {
			if begin := s.lines.lineAt(first[0].begin).begin; begin > s.root.begin {
				out.flowIndent = s.text[begin:first[0].begin]
			}
		}
		learn(l, &out.comma, ","+strings.TrimPrefix(out.colon, ":"))
	}
	return out
}

// stylist learns the style of a document from its values, in the order of the text.
type stylist struct {
	*source
	style *style
	seen  map[any]bool // the fields of the style that were learned, by their addresses
}

// learn sets a field of the style to the example of it, if it is the first one.
func learn[T any](l stylist, field *T, example T) {
	if !l.seen[field] {
		l.seen[field], *field = true, example
	}
}

// learnFrom learns the style of a value and of the values in it.
func (l stylist) learnFrom(n *node) {
	if n.isFlow && n.whyNotEditable == "" && len(n.entries) > 0 {
		first := n.entries[0]
		if n.kind == mapping {
			l.learnToken(&l.style.colon, first.keyEnd, first.value.begin, ":", " ")
			l.learnToken(&l.style.bracePadding, n.begin+1, first.begin, "", "")
		}
		if len(n.entries) > 1 {
			l.learnToken(&l.style.comma, first.end, n.entries[1].begin, ",", "")
		}
	}
	for _, e := range n.entries {
		v := e.value
		switch {
		case n.isFlow || v.isFlow || len(v.entries) == 0:
		case n.kind == mapping && v.kind == mapping:
			learn(l, &l.style.step, max(v.col-e.col, 1))
		case n.kind == mapping:
			learn(l, &l.style.sequence, max(v.col-e.col, 0))
		case v.entries[0].isAfterDash:
			learn(l, &l.style.dash, max(v.col-e.col, 2))
		}
		l.learnFrom(v)
	}
}

// learnToken learns the text between two offsets, if it is a token with only spaces around it. Characters of the cutset
// are removed before the token.
func (l stylist) learnToken(field *string, begin, end int, token, cutset string) {
	if text := l.text[begin:end]; strings.Trim(text, " ") == token {
		learn(l, field, strings.TrimLeft(text, cutset))
	}
}
