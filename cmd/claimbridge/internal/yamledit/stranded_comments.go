package yamledit

import "strings"

// strand writes the comments in a range that went away, each on a line of its own, and the blank lines above them.
func (w *writer) writeStranded(begin, end, col int) {
	var text strings.Builder
	for _, c := range w.commentsIn(begin, end) {
		if c.isMoved {
			continue
		}
		line := w.lines.indexAt(c.begin)
		for above := line - 1; w.lines[line].first == '#' && above > w.lines.indexAt(begin) &&
			w.lines[above].first == 0; above-- {
			text.WriteString(w.style.eol)
		}
		text.WriteString(strings.Repeat(" ", col) + c.text + w.style.eol)
		w.stranded = append(w.stranded, c.line)
	}
	w.writeComments(text.String())
}

// around a piece that moves out of an entry which is gone: the comments of the entry before the one
// offset are above it, and those from the other one on below. Without a piece of it all are above.
func (w *writer) commentBounds(e, piece *entry) (above, below int) {
	switch {
	case piece == nil || piece.removedEntry != e:
		return e.end, e.end
	case !piece.parent.isFlow:
		return piece.begin, piece.begin
	}
	if c := w.trailingComment(piece); c.end > 0 {
		return c.begin, c.end
	}
	line := w.lines.nextLineBegin(piece.end) // what is behind brackets is about all that is in them
	return line, line
}

// beside finds the comment behind the entry of a block out of whose brackets a piece moves, if it
// is on its line and the piece is all that the entry says.
func (w *writer) trailingComment(e *entry) (c mark) {
	if e.removedEntry.parent.isFlow || w.lines.indexAt(e.removedEntry.keyBegin) != w.lines.indexAt(e.end) {
		return c
	}
	for n := e.parent; n != e.removedEntry.parent; n = n.owner.parent {
		if len(n.entries) != 1 {
			return c
		}
	}
	for _, c := range w.commentsIn(e.removedEntry.value.end, w.lines.nextLineBegin(e.end)) {
		return c
	}
	return c
}
