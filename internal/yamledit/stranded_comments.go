package yamledit

import "strings"

// writeStranded writes the comments in a range of the text that do not move, each on its own line with the blank lines
// above it.
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
// first stay above the piece, comments from the second on stay below, and those between them move with the piece.
// Without a piece all stay above.
//
// A comment after brackets is about everything in them. It stays above the pieces, unless there is only one:
//
//	exactly: {deviceClassName: c, count: 2} # exact     # exact
//	                                                    deviceClassName: c
//	                                                    count: 2
//
//	exactly: {deviceClassName: c} # exact               deviceClassName: c # exact
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
	line := w.lines.nextLineBegin(piece.end)
	return line, line
}

// trailingComment returns the comment that moves with a piece out of brackets: the one after the brackets, if these are
// on one line and the piece is the only value in them. Otherwise it returns an empty comment.
func (w *writer) trailingComment(piece *entry) comment {
	removed := piece.removedEntry
	if removed.parent.isFlow || w.lines.indexAt(removed.keyBegin) != w.lines.indexAt(piece.end) {
		return comment{}
	}
	for n := piece.parent; n != removed.parent; n = n.owner.parent {
		if len(n.entries) != 1 {
			return comment{}
		}
	}
	comments := w.commentsIn(removed.value.end, w.lines.nextLineBegin(piece.end))
	if len(comments) == 0 {
		return comment{}
	}
	return comments[0]
}
