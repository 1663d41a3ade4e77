package yamledit

import "strings"

// flowStyle is the style of entries in brackets.
type flowStyle struct {
	line  string // the line end and the indentation before each entry, if each is on its own line
	comma string // between entries of new collections on one line
	quote byte   // of keys and strings
}

// flowStyleOf returns the style of the entries of a collection in brackets.
func (w *writer) flowStyleOf(n *node) flowStyle {
	first := n.entries[0]
	s := flowStyle{comma: w.style.comma}
	if w.lines.indexAt(n.begin) != w.lines.indexAt(first.begin) {
		s.line = w.style.eol + w.indentOf(first.begin)
	}
	if w.isJSON || n.kind == mapping && w.text[first.keyBegin] == '"' {
		s.quote = '"'
	}
	return s
}

// commaOf returns the text between the entries of a collection in brackets.
func (w *writer) commaOf(n *node, s flowStyle) string {
	if s.line != "" {
		return "," + s.line
	}
	if len(n.entries) > 1 {
		between := w.text[n.entries[0].end:n.entries[1].begin]
		if strings.Trim(between, " ") == "," {
			return between
		}
	}
	return s.comma
}

// writeFlow writes a collection in brackets that is kept, with its changes.
func (w *writer) writeFlow(v *node) {
	n := v.old
	s := w.flowStyleOf(n)
	comma := w.commaOf(n, s)
	w.copyText(n.begin, n.entries[0].begin)
	var previous *entry // the last entry, if it was kept
	for i, m := range v.entries {
		e := m.oldEntry
		switch {
		case i == 0:
		case e != nil && previous != nil && e.index == previous.index+1:
			w.copyText(previous.end, e.begin)
		default:
			w.write(comma)
		}
		previous = e
		if e == nil {
			w.writeFlowEntry(m, s)
			continue
		}
		w.copyText(e.begin, e.value.begin)
		if m.value.isRewritten {
			w.writeFlowValue(m.value, s)
		} else {
			w.writeValue(m.value)
		}
	}
	w.copyText(n.entries[len(n.entries)-1].end, n.end)
}

// writeFlowEntry writes a new entry. The text of a piece is copied if it was in brackets. Of a piece in a block, only a
// quoted value on one line is copied.
func (w *writer) writeFlowEntry(m *entry, s flowStyle) {
	piece := m.piece
	if piece != nil && piece.parent.isFlow {
		if !m.isItem() {
			w.write(w.keyText(piece, m.key))
		}
		oldIndent := w.indentOf(piece.begin)
		newIndent := strings.TrimLeft(s.line, "\r\n")
		w.write(strings.ReplaceAll(w.text[piece.keyEnd:piece.end], "\n"+oldIndent, "\n"+newIndent))
		return
	}
	if !m.isItem() {
		w.writeScalar(&node{isText: true, text: m.key}, s.quote, true)
		w.write(w.style.colon)
	}
	if piece != nil && w.isQuotedOnOneLine(piece.value) {
		w.copyText(piece.value.begin, piece.value.end)
		return
	}
	w.writeFlowValue(m.value, s)
}

func (w *writer) isQuotedOnOneLine(n *node) bool {
	isQuoted := n.quote == '"' || n.quote == '\''
	return isQuoted && w.lines.indexAt(n.begin) == w.lines.indexAt(n.end)
}

// writeFlowValue writes a new or rewritten value.
func (w *writer) writeFlowValue(v *node, s flowStyle) {
	if v.kind == scalar || len(v.entries) == 0 {
		w.writeScalar(v, s.quote, true)
		return
	}
	begin, end, comma := "", "", s.comma
	switch {
	case s.line != "":
		end = s.line
		s.line += w.style.flowIndent
		begin, comma = s.line, ","+s.line
	case v.kind == mapping:
		begin, end = w.style.bracePadding, w.style.bracePadding
	}
	w.write(v.brackets()[:1], begin)
	if w.isTooLarge() {
		return
	}
	for i, m := range v.entries {
		if i > 0 {
			w.write(comma)
		}
		w.writeFlowEntry(m, s)
	}
	w.write(end, v.brackets()[1:])
}
