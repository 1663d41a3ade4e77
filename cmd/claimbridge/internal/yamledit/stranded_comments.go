package yamledit

import "strings"

// strand writes the comments in a range that went away, each on a line of its own, and the blank lines above them.
func (w *writer) strand(begin, end, col int) {
	var text strings.Builder
	for _, c := range w.commentsIn(begin, end) {
		if c.moved {
			continue
		}
		line := w.lines.at(c.begin)
		for above := line - 1; w.lines[line].what == '#' && above > w.lines.at(begin) &&
			w.lines[above].what == 0; above-- {
			text.WriteString(w.style.eol)
		}
		text.WriteString(strings.Repeat(" ", col) + c.text + w.style.eol)
		w.stranded = append(w.stranded, c.line)
	}
	w.comments(text.String())
}

// around a piece that moves out of an entry which is gone: the comments of the entry before the one
// offset are above it, and those from the other one on below. Without a piece of it all are above.
func (w *writer) around(e, piece *entry) (above, below int) {
	switch {
	case piece == nil || piece.root != e:
		return e.end, e.end
	case !piece.in.flow:
		return piece.begin, piece.begin
	}
	if c := w.beside(piece); c.end > 0 {
		return c.begin, c.end
	}
	line := w.lines.after(piece.end) // what is behind brackets is about all that is in them
	return line, line
}

// beside finds the comment behind the entry of a block out of whose brackets a piece moves, if it
// is on its line and the piece is all that the entry says.
func (w *writer) beside(e *entry) (c mark) {
	if e.root.in.flow || w.lines.at(e.root.keyBegin) != w.lines.at(e.end) {
		return c
	}
	for n := e.in; n != e.root.in; n = n.of.in {
		if len(n.entries) != 1 {
			return c
		}
	}
	for _, c := range w.commentsIn(e.root.value.end, w.lines.after(e.end)) {
		return c
	}
	return c
}
