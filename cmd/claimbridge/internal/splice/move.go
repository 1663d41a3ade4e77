package splice

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// move the text of an entry to a column of a block, under a key.
func (w *writer) move(e *entry, key string, col int) {
	line := w.lines.of(e.keyBegin).begin
	if !e.in.flow {
		if !e.behindDash {
			w.comments(shift(w.text[e.begin:line], col-e.col, true))
		}
		w.indent(col)
		w.out = append(w.out, w.keyText(e, key)...)
		w.out = append(w.out, shift(w.text[e.keyEnd:e.end], col-e.col, false)...)
		return
	}
	w.indent(col)
	body := w.text[e.keyEnd:e.end]
	if e.isItem() {
		w.put("-")
		w.spaces(w.style.dash - 1)
	} else {
		w.out = append(w.out, w.keyText(e, key)...)
		w.put(": ")
		_, body, _ = bytes.Cut(body, []byte(":"))
		body = bytes.TrimLeft(body, " \t\r\n")
	}
	w.out = append(w.out, shift(body, col-len(w.indentOf(e.begin)), false)...)
	if c := w.beside(e); c.end > 0 {
		w.copy(e.root.value.end, c.end)
	}
	w.put(w.style.eol)
}

// indentOf the line of an offset.
func (w *writer) indentOf(at int) string {
	line := w.text[w.lines.of(at).begin:at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// keyText is the key as it stands, or another one in the same quotes.
func (w *writer) keyText(e *entry, key string) []byte {
	text := w.text[e.keyBegin:e.keyEnd]
	if key == e.key {
		return text
	}
	switch text[0] {
	case '"':
		return kjson.Quote(key)
	case '\'':
		return []byte("'" + key + "'")
	}
	return []byte(key)
}

// shift indents lines by so much more, or less where it is negative. Empty lines stay empty.
func shift(text []byte, by int, first bool) []byte {
	if by == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for begin := 0; begin < len(text); {
		end := lineEnd(text, begin)
		after := end + breakAt(text, end)
		switch {
		case begin == end || begin == 0 && !first:
		case by > 0:
			out = append(out, bytes.Repeat([]byte(" "), by)...)
		default:
			spaces := end - begin - len(bytes.TrimLeft(text[begin:end], " "))
			begin += min(-by, spaces)
		}
		out = append(out, text[begin:after]...)
		begin = after
	}
	return out
}

// reindent the lines of a text but the first, which begin with some white space.
func reindent(text []byte, from, to string) []byte {
	return bytes.ReplaceAll(text, []byte("\n"+from), []byte("\n"+to))
}
