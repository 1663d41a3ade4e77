package yamledit

import (
	"strings"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// writeDocument writes the whole document.
func (w *writer) writeDocument(root *node) ([]byte, error) {
	w.copyText(0, w.root.begin)
	w.lineBegin = w.lines.lineAt(w.root.begin).begin
	w.writeValue(root)
	w.copyText(w.root.end, len(w.text))
	if w.isTooLarge() {
		return nil, notEditable(0, "it would become too large")
	}
	if w.lacksFinalNewline {
		return []byte(strings.TrimSuffix(strings.TrimSuffix(string(w.out), "\n"), "\r")), nil
	}
	return w.out, nil
}

// writeValue writes a value that is kept, with its changes: existing entries at their places, pieces and new entries,
// and the comments of removed entries.
func (w *writer) writeValue(v *node) {
	n := v.old
	if v.isUnchanged || n.isFlow || n.kind == scalar {
		w.writeFlow(v)
		return
	}
	w.isAfterDash = n.entries[0].isAfterDash
	items, at := v.entries, n.begin
	for slot := -1; slot < len(n.entries); slot++ {
		e := &entry{} // the old entry of the slot
		if slot >= 0 {
			e = n.entries[slot]
			w.writeComments(w.text[at:max(at, e.begin)])
			at = e.end
		}
		from := e.begin // the beginning of its comments that are not written yet, if it was removed
		for ; len(items) > 0 && items[0].slot == slot; items = items[1:] {
			m := items[0]
			if m.oldEntry != nil {
				w.writeKept(m.oldEntry, m.value)
				continue
			}
			// Comments stay above a piece that moves out of the entry if they were above it, and else below.
			if e.removedEntry != nil {
				above, below := w.commentBounds(e, firstPiece(m, n))
				w.writeStranded(from, above, e.col)
				from = max(from, below)
			}
			w.writeEntry(m, n.col)
		}
		if e.removedEntry != nil {
			w.writeStranded(from, e.end, e.col)
		}
	}
}

// writeKept writes an entry that is kept. If its value is rewritten, a comment on its line stays there, and other
// comments follow.
func (w *writer) writeKept(e *entry, v *node) {
	if !e.isAfterDash {
		w.writeComments(w.text[e.begin:w.lines.lineAt(e.keyBegin).begin])
	}
	w.beginLine(e.col)
	if !v.isRewritten {
		w.copyText(e.keyBegin, e.value.begin)
		w.writeValue(v)
		w.copyText(e.value.end, e.end)
		return
	}
	at, line, comment := e.keyEnd, w.lines.nextLineBegin(e.keyEnd), ""
	if !e.isItem() {
		at += strings.IndexByte(w.text[at:], ':') + 1
	}
	w.copyText(e.keyBegin, at)
	if list := w.commentsIn(at, line); len(list) > 0 && !list[0].isMoved {
		before := strings.TrimRight(w.text[at:list[0].begin], " \t")
		comment = w.text[at+len(before) : list[0].end]
	}
	w.writeEntryValue(v, e.col, e.isItem(), comment)
	w.writeStranded(max(line, at), e.end, e.col)
}

// writeEntry writes a new entry of a block at a column.
func (w *writer) writeEntry(m *entry, col int) {
	if m.piece != nil {
		w.writeMoved(m.piece, m.key, col)
		return
	}
	w.beginLine(col)
	if m.isItem() {
		w.write("-")
	} else {
		w.writeScalar(&node{isText: true, text: m.key}, 0, false)
		w.write(":")
	}
	w.writeEntryValue(m.value, col, m.isItem(), "")
}

// writeMoved writes the text of a piece at a column, under a key.
func (w *writer) writeMoved(e *entry, key string, col int) {
	body := w.text[e.keyEnd:e.end]
	if !e.parent.isFlow {
		if !e.isAfterDash {
			w.writeComments(shift(w.text[e.begin:w.lines.lineAt(e.keyBegin).begin], col-e.col, true))
		}
		w.beginLine(col)
		w.write(w.keyText(e, key), shift(body, col-e.col, false))
		return
	}
	w.beginLine(col)
	if e.isItem() {
		w.write("-")
		w.writeSpaces(w.style.dash - 1)
	} else {
		w.write(w.keyText(e, key), ": ")
		_, body, _ = strings.Cut(body, ":")
		body = strings.TrimLeft(body, " \t\r\n")
	}
	w.write(shift(body, col-len(w.indentOf(e.begin)), false))
	if c := w.trailingComment(e); c.end > 0 {
		w.copyText(e.removedEntry.value.end, c.end)
	}
	w.write(w.style.eol)
}

// writeEntryValue writes a value after a key or a dash at a column, and a comment on its line.
func (w *writer) writeEntryValue(v *node, col int, item bool, comment string) {
	gap, inner := 1, col+w.style.step
	switch {
	case item:
		gap, inner = w.style.dash-1, col+w.style.dash
	case v.kind == sequence:
		inner = col + w.style.sequence
	}
	if v.kind == scalar || len(v.entries) == 0 || item && comment == "" {
		w.writeSpaces(gap)
	}
	switch {
	case v.kind == scalar && v.isText && yamldoc.SuitsLiteral(v.text):
		w.writeLiteral(v.text, col+w.style.step, comment)
	case v.kind == scalar || len(v.entries) == 0:
		w.writeScalar(v, 0, false)
		w.write(comment, w.style.eol)
	case item && comment == "":
		w.isAfterDash = true
	default:
		w.write(comment, w.style.eol)
	}
	for _, m := range v.entries {
		w.writeEntry(m, inner)
	}
}

// writeLiteral writes a text of several lines as a literal block at a column.
func (w *writer) writeLiteral(text string, col int, comment string) {
	ends := len(text) - len(strings.TrimRight(text, "\n"))
	w.write([]string{"|-", "|", "|+"}[min(ends, 2)], comment, w.style.eol)
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			w.writeSpaces(col)
		}
		w.write(line, w.style.eol)
	}
}
