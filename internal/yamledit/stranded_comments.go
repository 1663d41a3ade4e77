package yamledit

import "strings"

// writeStranded writes the comments of a removed range, each on its own line, and the blank lines above them.
func (w *writer) writeStranded(begin, end, col int) {
	var text strings.Builder
	for _, c := range w.commentsIn(begin, end) {
		if c.isMoved {
			continue
		}
		blankLines := w.blankLinesAbove(c, begin)
		text.WriteString(strings.Repeat(w.style.eol, blankLines))
		text.WriteString(strings.Repeat(" ", col) + c.text + w.style.eol)
		w.stranded = append(w.stranded, c.line)
	}
	w.writeComments(text.String())
}

// blankLinesAbove counts the blank lines directly above a comment on its own line, down from the line of an offset,
// which does not count. A comment after a value has none.
func (w *writer) blankLinesAbove(c comment, begin int) (count int) {
	line := w.lines.indexAt(c.begin)
	if w.lines[line].first != '#' {
		return 0
	}
	for above := line - 1; above > w.lines.indexAt(begin) && w.lines[above].first == 0; above-- {
		count++
	}
	return count
}

// commentBounds returns two offsets for the comments of a removed entry out of which a piece moves: comments before the
// first stay above the piece, and comments from the second on stay below. Without a piece all stay above.
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
	line := w.lines.nextLineBegin(piece.end) // a comment after brackets is about everything in them
	return line, line
}

// trailingComment returns the comment after a block entry whose brackets contain the piece, if it is on the same line
// and the piece is the only value of the entry.
func (w *writer) trailingComment(e *entry) (c comment) {
	if e.removedEntry.parent.isFlow || w.lines.indexAt(e.removedEntry.keyBegin) != w.lines.indexAt(e.end) {
		return c
	}
	for n := e.parent; n != e.removedEntry.parent; n = n.owner.parent {
		if len(n.entries) != 1 {
			return c
		}
	}
	comments := w.commentsIn(e.removedEntry.value.end, w.lines.nextLineBegin(e.end))
	if len(comments) == 0 {
		return c
	}
	return comments[0]
}
