package yamledit

import (
	"slices"
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

// writeValue writes a value that is kept, with its changes.
func (w *writer) writeValue(v *node) {
	n := v.old
	switch {
	case v.isUnchanged:
		w.copyText(n.begin, n.end)
	case n.kind == scalar:
		w.writeScalar(v, n.quote, n.inFlow())
	case n.isFlow:
		w.writeFlow(v)
	default:
		w.writeBlock(v)
	}
}

// writeBlock writes a collection in block style that is kept, slot by slot.
func (w *writer) writeBlock(v *node) {
	n := v.old
	w.isAfterDash = n.entries[0].isAfterDash
	inSlot, rest := splitSlot(v.entries, -1)
	for _, m := range inSlot {
		w.writeEntry(m, n.col)
	}
	end := n.begin // of the previous old entry
	for slot, e := range n.entries {
		w.writeComments(w.text[end:max(end, e.begin)])
		end = e.end
		inSlot, rest = splitSlot(rest, slot)
		if e.removedEntry != nil {
			w.writeInPlaceOf(e, inSlot, n)
			continue
		}
		for _, m := range inSlot {
			if m.oldEntry != nil {
				w.writeKept(m.oldEntry, m.value)
			} else {
				w.writeEntry(m, n.col)
			}
		}
	}
}

// splitSlot returns the entries of a slot, and those after them. All are in the order of their slots, from this one on.
func splitSlot(entries []*entry, slot int) (inSlot, rest []*entry) {
	end := slices.IndexFunc(entries, func(m *entry) bool { return m.slot != slot })
	if end < 0 {
		return entries, nil
	}
	return entries[:end], entries[end:]
}

// writeInPlaceOf writes the new entries in the slot of a removed entry of n, and its stranded comments: those that were
// above a piece stay above it, and the others follow.
func (w *writer) writeInPlaceOf(removed *entry, inSlot []*entry, n *node) {
	begin := removed.begin // of the text whose comments are not written yet
	for _, m := range inSlot {
		above, below := w.commentBounds(removed, firstPiece(m, n))
		w.writeStranded(begin, above, removed.col)
		begin = max(begin, below)
		w.writeEntry(m, n.col)
	}
	w.writeStranded(begin, removed.end, removed.col)
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
	end := e.keyEnd // of the key and its colon, or of the dash
	if !e.isItem() {
		end += strings.IndexByte(w.text[end:], ':') + 1
	}
	w.copyText(e.keyBegin, end)
	nextLine := w.lines.nextLineBegin(e.keyEnd)
	comment := "" // on the line of the key, with the white space before it
	if list := w.commentsIn(end, nextLine); len(list) > 0 && !list[0].isMoved {
		before := strings.TrimRight(w.text[end:list[0].begin], " \t")
		comment = w.text[end+len(before) : list[0].end]
	}
	w.writeEntryValue(v, e.col, e.isItem(), comment)
	w.writeStranded(max(nextLine, end), e.end, e.col)
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
func (w *writer) writeMoved(piece *entry, key string, col int) {
	if piece.parent.isFlow {
		w.writeMovedFromFlow(piece, key, col)
		return
	}
	if !piece.isAfterDash {
		comments := w.text[piece.begin:w.lines.lineAt(piece.keyBegin).begin]
		w.writeComments(shift(comments, col-piece.col, true))
	}
	w.beginLine(col)
	afterKey := w.text[piece.keyEnd:piece.end]
	w.write(w.keyText(piece, key), shift(afterKey, col-piece.col, false))
}

// writeMovedFromFlow writes the text of a piece that was in brackets as an entry of a block.
func (w *writer) writeMovedFromFlow(piece *entry, key string, col int) {
	value := w.text[piece.keyEnd:piece.end]
	w.beginLine(col)
	if piece.isItem() {
		w.write("-")
		w.writeSpaces(w.style.dash - 1)
	} else {
		w.write(w.keyText(piece, key), ": ")
		_, value, _ = strings.Cut(value, ":")
		value = strings.TrimLeft(value, " \t\r\n")
	}
	w.write(shift(value, col-len(w.indentOf(piece.begin)), false))
	if c := w.trailingComment(piece); c.end > 0 {
		w.copyText(piece.removedEntry.value.end, c.end)
	}
	w.write(w.style.eol)
}

// writeEntryValue writes a new value after a key at a column, or after the dash of an item, and a comment on its line.
func (w *writer) writeEntryValue(v *node, col int, isItem bool, comment string) {
	gap, innerCol := 1, col+w.style.step
	switch {
	case isItem:
		gap, innerCol = w.style.dash-1, col+w.style.dash
	case v.kind == sequence:
		innerCol = col + w.style.sequence
	}
	hasEntries := v.kind != scalar && len(v.entries) > 0
	switch {
	case hasEntries && isItem && comment == "": // the first entry follows the dash
		w.writeSpaces(gap)
		w.isAfterDash = true
	case hasEntries:
		w.write(comment, w.style.eol)
	case v.kind == scalar && v.isText && yamldoc.SuitsLiteral(v.text):
		w.writeSpaces(gap)
		w.writeLiteral(v.text, col+w.style.step, comment)
	default:
		w.writeSpaces(gap)
		w.writeScalar(v, 0, false)
		w.write(comment, w.style.eol)
	}
	for _, m := range v.entries {
		w.writeEntry(m, innerCol)
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
