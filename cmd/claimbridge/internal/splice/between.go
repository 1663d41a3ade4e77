package splice

import (
	"bytes"
	"sort"
)

// around a piece that moves out of an entry which is gone: the comments of the entry before the one offset are above it, and those from the
// other one on below. Without a piece of it all are above.
func (w *writer) around(e, piece *entry) (above, below int) {
	switch {
	case piece == nil || piece.root != e:
		return e.end, e.end
	case !piece.in.flow:
		return piece.begin, piece.begin
	}
	if c, is := w.beside(piece); is {
		return c.begin, c.end
	}
	line := w.lines.after(piece.end) // what is behind brackets is about all that is in them
	return line, line
}

// gap writes what is between entries.
func (w *writer) gap(begin, end int) {
	if begin >= end {
		return
	}
	if w.behind {
		w.hoist(w.text[begin:end])
		return
	}
	w.copy(begin, end)
}

// hoist writes lines of comments above the line that ends with a dash, indented as that.
func (w *writer) hoist(text []byte) {
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	begin := bytes.LastIndexByte(w.out, '\n') + 1
	line := append([]byte(nil), w.out[begin:]...)
	indent := line[:len(line)-len(bytes.TrimLeft(line, " "))]
	w.out = w.out[:begin]
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if content := bytes.TrimLeft(text[:end], " \t"); len(bytes.TrimSpace(content)) > 0 {
			w.out = append(append(w.out, indent...), content...)
		} else {
			w.put(w.style.eol)
		}
		text = text[end:]
	}
	w.out = append(w.out, line...)
}

// strand writes the comments in a range that went away, each on a line of its own, and the blank lines above them.
func (w *writer) strand(begin, end, col int) {
	var text []byte
	for _, c := range w.commentsIn(begin, end) {
		if w.isMoved(c.begin) {
			continue
		}
		line := w.lines.at(c.begin)
		for above := line - 1; w.lines.marks[line].what == '#' && above > w.lines.at(begin) && w.lines.marks[above].what == 0; above-- {
			text = append(text, w.style.eol...)
		}
		text = append(append(text, bytes.Repeat([]byte(" "), col)...), w.text[c.begin:c.end]...)
		text = append(text, w.style.eol...)
		w.stranded = append(w.stranded, w.lineOf(c.begin))
	}
	switch {
	case w.behind:
		w.hoist(text)
	default:
		w.out = append(w.out, text...)
	}
}

// isMoved reports whether an offset is in a text that was moved.
func (w *writer) isMoved(at int) bool {
	i := sort.Search(len(w.moved), func(i int) bool { return w.moved[i].begin > at }) - 1
	return i >= 0 && at < w.moved[i].end
}
