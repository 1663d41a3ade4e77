package yamledit

import "strings"

// flowStyle is how entries in brackets are written.
type flowStyle struct {
	line  string // the line end and the indentation before each, where each is on a line of its own
	comma string
	quote byte // of keys and texts
}

// flow writes what stays where it is, with what changes in it in brackets.
func (w *writer) flow(v *node) {
	n := v.was
	switch {
	case v.same:
		w.copy(n.begin, n.end)
		return
	case n.kind == scalar:
		w.inline(v, n.quote, n.inFlow())
		return
	}
	first, last := n.entries[0], n.entries[len(n.entries)-1]
	s := flowStyle{comma: w.style.comma}
	if w.lines.at(n.begin) != w.lines.at(first.begin) {
		s.line = w.style.eol + w.indentOf(first.begin)
	}
	if w.json || n.kind == mapping && w.text[first.keyBegin] == '"' {
		s.quote = '"'
	}
	comma := s.comma
	if s.line != "" {
		comma = "," + s.line
	} else if len(n.entries) > 1 {
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
		if before = e; e == nil {
			w.flowEntry(m, s)
			continue
		}
		if w.copy(e.begin, e.value.begin); m.value.isRewritten {
			w.flowValue(m.value, s)
		} else {
			w.flow(m.value)
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
		oldIndent, newIndent := w.indentOf(e.begin), strings.TrimLeft(s.line, "\r\n")
		w.put(strings.ReplaceAll(w.text[e.keyEnd:e.end], "\n"+oldIndent, "\n"+newIndent))
		return
	}
	if !m.isItem() {
		w.inline(&node{isText: true, text: m.key}, s.quote, true)
		w.put(w.style.colon)
	}
	if e != nil && (e.value.quote == '"' || e.value.quote == '\'') &&
		w.lines.at(e.value.begin) == w.lines.at(e.value.end) {
		w.copy(e.value.begin, e.value.end)
		return
	}
	w.flowValue(m.value, s)
}

// flowValue writes a value again.
func (w *writer) flowValue(v *node, s flowStyle) {
	if v.kind == scalar || len(v.entries) == 0 {
		w.inline(v, s.quote, true)
		return
	}
	begin, end, comma := "", "", s.comma
	switch {
	case s.line != "":
		end = s.line
		s.line += w.style.unit
		begin, comma = s.line, ","+s.line
	case v.kind == mapping:
		begin, end = w.style.pad, w.style.pad
	}
	if w.put(v.brackets()[:1], begin); w.isTooBig() {
		return
	}
	for i, m := range v.entries {
		if i > 0 {
			w.put(comma)
		}
		w.flowEntry(m, s)
	}
	w.put(end, v.brackets()[1:])
}
