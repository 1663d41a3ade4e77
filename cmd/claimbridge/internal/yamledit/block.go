package yamledit

import (
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// document writes all of it.
func (w *writer) document(root *node) ([]byte, error) {
	w.copy(0, w.root.begin)
	w.line = w.lines.of(w.root.begin).begin
	w.value(root)
	w.copy(w.root.end, len(w.text))
	if w.isTooBig() {
		return nil, notInPlace(0, "it would become too large")
	}
	if w.cutShort {
		return []byte(strings.TrimSuffix(strings.TrimSuffix(string(w.out), "\n"), "\r")), nil
	}
	return w.out, nil
}

// value writes what stays where it is, with what changes in it: entries where they were, what moves
// or is new, and the comments of what is gone.
func (w *writer) value(v *node) {
	n := v.was
	if v.same || n.flow || n.kind == scalar {
		w.flow(v)
		return
	}
	w.dashed = n.entries[0].behindDash
	items, at := v.entries, n.begin
	for slot := -1; slot < len(n.entries); slot++ {
		e := &entry{} // that was here
		if slot >= 0 {
			e = n.entries[slot]
			w.comments(w.text[at:max(at, e.begin)])
			at = e.end
		}
		from := e.begin // where its comments begin that are not written yet, if it is gone
		for ; len(items) > 0 && items[0].slot == slot; items = items[1:] {
			m := items[0]
			if m.kept != nil {
				w.keep(m.kept, m.value)
				continue
			}
			if e.root != nil { // its comments stay above what moves out of it, if they stood above that, and else below
				above, below := w.around(e, firstOf(m, n))
				w.strand(from, above, e.col)
				from = max(from, below)
			}
			w.place(m, n.col)
		}
		if e.root != nil {
			w.strand(from, e.end, e.col)
		}
	}
}

// keep writes an entry that stays where it is. Of a value that is rewritten a comment on its
// line stays there, and others go below.
func (w *writer) keep(e *entry, v *node) {
	if !e.behindDash {
		w.comments(w.text[e.begin:w.lines.of(e.keyBegin).begin])
	}
	w.indent(e.col)
	if !v.isRewritten {
		w.copy(e.keyBegin, e.value.begin)
		w.value(v)
		w.copy(e.value.end, e.end)
		return
	}
	at, line, behind := e.keyEnd, w.lines.after(e.keyEnd), ""
	if !e.isItem() {
		at += strings.IndexByte(w.text[at:], ':') + 1
	}
	w.copy(e.keyBegin, at)
	if list := w.commentsIn(at, line); len(list) > 0 && !list[0].moved {
		before := strings.TrimRight(w.text[at:list[0].begin], " \t")
		behind = w.text[at+len(before) : list[0].end]
	}
	w.fill(v, e.col, e.isItem(), behind)
	w.strand(max(line, at), e.end, e.col)
}

// place writes what is new in a block at a column.
func (w *writer) place(m *entry, col int) {
	if m.moved != nil {
		w.move(m.moved, m.key, col)
		return
	}
	w.indent(col)
	if m.isItem() {
		w.put("-")
	} else {
		w.inline(&node{isText: true, text: m.key}, 0, false)
		w.put(":")
	}
	w.fill(m.value, col, m.isItem(), "")
}

// move the text of an entry to a column, under a key.
func (w *writer) move(e *entry, key string, col int) {
	body := w.text[e.keyEnd:e.end]
	if !e.in.flow {
		if !e.behindDash {
			w.comments(shift(w.text[e.begin:w.lines.of(e.keyBegin).begin], col-e.col, true))
		}
		w.indent(col)
		w.put(w.keyText(e, key), shift(body, col-e.col, false))
		return
	}
	w.indent(col)
	if e.isItem() {
		w.put("-")
		w.spaces(w.style.dash - 1)
	} else {
		w.put(w.keyText(e, key), ": ")
		_, body, _ = strings.Cut(body, ":")
		body = strings.TrimLeft(body, " \t\r\n")
	}
	w.put(shift(body, col-len(w.indentOf(e.begin)), false))
	if c := w.beside(e); c.end > 0 {
		w.copy(e.root.value.end, c.end)
	}
	w.put(w.style.eol)
}

// fill writes a value behind a key or a dash that stands at a column, and a comment on its line.
func (w *writer) fill(v *node, col int, item bool, comment string) {
	gap, inner := 1, col+w.style.step
	switch {
	case item:
		gap, inner = w.style.dash-1, col+w.style.dash
	case v.kind == sequence:
		inner = col + w.style.sequence
	}
	if v.kind == scalar || len(v.entries) == 0 || item && comment == "" {
		w.spaces(gap)
	}
	switch {
	case v.kind == scalar && v.isText && yamldoc.SuitsLiteral(v.text):
		w.literal(v.text, col+w.style.step, comment)
	case v.kind == scalar || len(v.entries) == 0:
		w.inline(v, 0, false)
		w.put(comment, w.style.eol)
	case item && comment == "":
		w.dashed = true
	default:
		w.put(comment, w.style.eol)
	}
	for _, m := range v.entries {
		w.place(m, inner)
	}
}

// literal writes a text of several lines at a column.
func (w *writer) literal(text string, col int, comment string) {
	ends := len(text) - len(strings.TrimRight(text, "\n"))
	w.put([]string{"|-", "|", "|+"}[min(ends, 2)], comment, w.style.eol)
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			w.spaces(col)
		}
		w.put(line, w.style.eol)
	}
}
