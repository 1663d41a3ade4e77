package splice

import (
	"bytes"
	"strings"
)

// flowStyle is how entries in brackets are written.
type flowStyle struct {
	lines  bool   // each on a line of its own
	indent string // of these lines
	quoted bool   // keys
}

// flow writes a mapping or a sequence in brackets.
func (w *writer) flow(n, v *node) {
	first, last := n.entries[0], n.entries[len(n.entries)-1]
	s := flowStyle{quoted: w.json || n.kind == mapping && w.text[first.keyBegin] == '"'}
	if s.lines = w.lines.at(n.begin) != w.lines.at(first.begin); s.lines {
		s.indent = w.indentOf(first.begin)
	}
	comma := w.commaOf(n, s)
	w.copy(n.begin, first.begin)
	before := -1
	for i, p := range arrange(n, v) {
		switch {
		case i == 0:
		case p.kept != nil && before >= 0 && before+1 == p.slot:
			w.copy(n.entries[before].end, p.kept.begin)
		default:
			w.put(comma)
		}
		before = -1
		switch e := p.kept; {
		case e == nil:
			w.flowEntry(p.wanted, s)
		case p.wanted == nil || !p.wanted.value.anew:
			before = p.slot
			w.copy(e.begin, e.value.begin)
			if p.wanted == nil {
				w.copy(e.value.begin, e.value.end)
			} else {
				w.value(e.value, p.wanted.value)
			}
			w.copy(e.value.end, e.end)
		default:
			before = p.slot
			w.copy(e.begin, e.value.begin)
			w.flowValue(p.wanted.value, s)
		}
	}
	w.copy(last.end, n.end)
}

// indentOf the line of an offset.
func (w *writer) indentOf(at int) string {
	line := w.text[w.lines.begins[w.lines.at(at)]:at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// commaOf a collection is what it has between its first entries, else what is usual in the document.
func (w *writer) commaOf(n *node, s flowStyle) string {
	if s.lines {
		return "," + w.style.eol + s.indent
	}
	if len(n.entries) > 1 {
		between := string(w.text[n.entries[0].end:n.entries[1].begin])
		if strings.Trim(between, " ") == "," {
			return between
		}
	}
	return w.style.comma
}

// flowEntry writes an entry that is new here.
func (w *writer) flowEntry(m *entry, s flowStyle) {
	if e := m.moved; e != nil && e.in.flow {
		text := w.text[e.keyEnd:e.end]
		if !m.isItem() {
			text = append(bytes.Clone(w.keyText(e, m.key)), text...)
		}
		w.out = append(w.out, reindent(text, w.indentOf(e.begin), s.indent)...)
		return
	}
	if !m.isItem() {
		quote := byte(0)
		if s.quoted {
			quote = '"'
		}
		w.inline(&node{isText: true, text: m.key}, quote, true)
		w.put(w.style.colon)
	}
	if e := m.moved; e != nil && (e.value.quote == '"' || e.value.quote == '\'') && w.lines.at(e.value.begin) == w.lines.at(e.value.end) {
		w.copy(e.value.begin, e.value.end)
		return
	}
	w.flowValue(m.value, s)
}

// flowValue writes a value anew.
func (w *writer) flowValue(v *node, s flowStyle) {
	if v.kind == scalar || len(v.entries) == 0 {
		quote := byte(0)
		if s.quoted {
			quote = '"'
		}
		w.inline(v, quote, true)
		return
	}
	brackets, end, comma := "{}", w.style.pad, w.style.comma
	if v.kind == sequence {
		brackets, end = "[]", ""
	}
	begin := end
	inner := s
	if s.lines {
		inner.indent += w.style.unit
		begin, end, comma = w.style.eol+inner.indent, w.style.eol+s.indent, ","+w.style.eol+inner.indent
	}
	w.put(brackets[:1], begin)
	if w.spaces(0); w.err != nil {
		return
	}
	for i, p := range arrange(nil, v) {
		if i > 0 {
			w.put(comma)
		}
		w.flowEntry(p.wanted, inner)
	}
	w.put(end, brackets[1:])
}

// reindent the lines of a text but the first.
func reindent(text []byte, from, to string) []byte {
	if from == to || bytes.IndexByte(text, '\n') < 0 {
		return text
	}
	parts := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range parts[1:] {
		if rest, had := bytes.CutPrefix(line, []byte(from)); had {
			parts[i+1] = append([]byte(to), rest...)
		}
	}
	return bytes.Join(parts, nil)
}
