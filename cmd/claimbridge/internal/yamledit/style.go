package yamledit

import "strings"

// style is how the author of a document writes.
type style struct {
	eol          string // line end
	step         int    // columns by which a mapping in a mapping is indented
	sequence     int    // and a sequence in a mapping
	dash         int    // columns from a dash to what is behind it
	flowIndent   string // of indentation in brackets
	colon        string // behind a key in brackets
	comma        string // between entries in brackets on one line
	bracePadding string // within braces
}

// styleOf a document, by the first example of each; where there is none it is that of kubectl.
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

type stylist struct {
	*source
	style *style
	seen  map[any]bool // fields of the style that have an example
}

func learn[T any](l stylist, field *T, example T) {
	if !l.seen[field] {
		l.seen[field], *field = true, example
	}
}

func (l stylist) learnFrom(n *node) {
	if n.isFlow && n.whyFixed == "" && len(n.entries) > 0 {
		first := n.entries[0]
		if n.kind == mapping {
			l.learnMark(&l.style.colon, first.keyEnd, first.value.begin, ":", " ")
			l.learnMark(&l.style.bracePadding, n.begin+1, first.begin, "", "")
		}
		if len(n.entries) > 1 {
			l.learnMark(&l.style.comma, first.end, n.entries[1].begin, ",", "")
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

// example is what is between two places, if there is nothing but spaces beside a mark.
func (l stylist) learnMark(field *string, begin, end int, mark, cutset string) {
	if text := l.text[begin:end]; strings.Trim(text, " ") == mark {
		learn(l, field, strings.TrimLeft(text, cutset))
	}
}
