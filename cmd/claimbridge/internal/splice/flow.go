package splice

import "strings"

// flowStyle is how entries in brackets are written.
type flowStyle struct {
	lines  bool   // each on a line of its own
	indent string // of these lines
	quote  byte   // of keys and texts
}

// flow writes a mapping or a sequence in brackets.
func (w *writer) flow(n, v *node) {
	first, last := n.entries[0], n.entries[len(n.entries)-1]
	s := flowStyle{lines: w.lines.at(n.begin) != w.lines.at(first.begin)}
	if s.lines {
		s.indent = w.indentOf(first.begin)
	}
	if w.json || n.kind == mapping && w.text[first.keyBegin] == '"' {
		s.quote = '"'
	}
	comma := w.style.comma
	switch {
	case s.lines:
		comma = "," + w.style.eol + s.indent
	case len(n.entries) > 1:
		if between := w.text[first.end:n.entries[1].begin]; strings.Trim(between, " ") == "," {
			comma = between
		}
	}
	w.copy(n.begin, first.begin)
	var before *entry // that was kept
	for i, m := range v.entries {
		e := m.kept
		switch {
		case i == 0:
		case e != nil && before != nil && e.index == before.index+1:
			w.copy(before.end, e.begin)
		default:
			w.put(comma)
		}
		before = e
		if e == nil {
			w.flowEntry(m, s)
			continue
		}
		w.copy(e.begin, e.value.begin)
		if m.value.anew {
			w.flowValue(m.value, s)
		} else {
			w.value(m.value)
		}
	}
	w.copy(last.end, n.end)
}

// flowEntry writes an entry that is new here.
func (w *writer) flowEntry(m *entry, s flowStyle) {
	e := m.moved
	if e != nil && e.in.flow {
		if !m.isItem() {
			w.put(w.keyText(e, m.key))
		}
		w.put(strings.ReplaceAll(w.text[e.keyEnd:e.end], "\n"+w.indentOf(e.begin), "\n"+s.indent))
		return
	}
	if !m.isItem() {
		w.inline(&node{isText: true, text: m.key}, s.quote, true)
		w.put(w.style.colon)
	}
	if e != nil && (e.value.quote == '"' || e.value.quote == '\'') && w.lines.at(e.value.begin) == w.lines.at(e.value.end) {
		w.copy(e.value.begin, e.value.end)
		return
	}
	w.flowValue(m.value, s)
}

// flowValue writes a value anew.
func (w *writer) flowValue(v *node, s flowStyle) {
	if v.kind == scalar || len(v.entries) == 0 {
		w.inline(v, s.quote, true)
		return
	}
	begin, end, comma, outer := "{"+w.style.pad, w.style.pad+"}", w.style.comma, s.indent
	if v.kind == sequence {
		begin, end = "[", "]"
	}
	if s.lines {
		s.indent += w.style.unit
		begin, end, comma = begin[:1]+w.style.eol+s.indent, w.style.eol+outer+end[len(end)-1:], ","+w.style.eol+s.indent
	}
	w.put(begin)
	if w.spaces(0); w.tooBig {
		return
	}
	for i, m := range v.entries {
		if i > 0 {
			w.put(comma)
		}
		w.flowEntry(m, s)
	}
	w.put(end)
}
