package splice

import (
	"bytes"
	"strings"
)

// style is how the author of a document writes.
type style struct {
	eol      string // line end
	step     int    // columns by which a mapping in a mapping is indented
	sequence int    // and a sequence in a mapping
	dash     int    // columns from a dash to what is behind it
	unit     string // of indentation in brackets
	colon    string // behind a key in brackets
	comma    string // between entries in brackets on one line
	pad      string // within braces
}

// styleOf a document, by the first example of each; where there is none it is that of kubectl.
func styleOf(s *source) style {
	out := style{eol: "\n", step: 2, dash: 2, unit: "  ", colon: ": ", comma: ", "}
	if i := bytes.IndexByte(s.text, '\n'); i > 0 && s.text[i-1] == '\r' {
		out.eol = "\r\n"
	}
	l := stylist{source: s, style: &out}
	if s.json {
		if first := s.root.entries; len(first) > 0 {
			if begin := s.lines.begins[s.lines.at(first[0].begin)]; begin > s.root.begin {
				out.unit = string(s.text[begin:first[0].begin])
			}
		}
	}
	l.look(s.root)
	if s.json && !l.comma {
		out.comma = "," + strings.TrimPrefix(out.colon, ":")
	}
	return out
}

type stylist struct {
	*source
	style                                          *style
	step, sequence, dash, colon, comma, pad, ended bool
}

func (l *stylist) look(n *node) {
	if l.ended = l.step && l.sequence && l.dash && l.colon && l.comma; l.ended {
		return
	}
	if n.flow && n.closed == "" {
		l.brackets(n)
	}
	for _, e := range n.entries {
		v := e.value
		block := len(v.entries) > 0 && !v.flow
		switch {
		case !block || n.flow:
		case n.kind == mapping && v.kind == mapping && !l.step:
			l.step, l.style.step = true, max(v.col-e.col, 1)
		case n.kind == mapping && v.kind == sequence && !l.sequence:
			l.sequence, l.style.sequence = true, max(v.col-e.col, 0)
		case n.kind == sequence && v.entries[0].behindDash && !l.dash:
			l.dash, l.style.dash = true, max(v.col-e.col, 2)
		}
		if l.look(v); l.ended {
			return
		}
	}
}

func (l *stylist) brackets(n *node) {
	if len(n.entries) == 0 {
		return
	}
	first := n.entries[0]
	if n.kind == mapping {
		if between := string(l.text[first.keyEnd:first.value.begin]); !l.colon && strings.Trim(between, " ") == ":" {
			l.colon, l.style.colon = true, strings.TrimLeft(between, " ")
		}
		if before := string(l.text[n.begin+1 : first.begin]); !l.pad && strings.Trim(before, " ") == "" {
			l.pad, l.style.pad = true, before
		}
	}
	if len(n.entries) > 1 && !l.comma {
		if between := string(l.text[first.end:n.entries[1].begin]); strings.Trim(between, " ") == "," {
			l.comma, l.style.comma = true, between
		}
	}
}
