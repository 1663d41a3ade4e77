package splice

import (
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// move the text of an entry to a column of a block, under a key.
func (w *writer) move(e *entry, key string, col int) {
	if !e.in.flow {
		if !e.behindDash {
			w.comments(shift(w.text[e.begin:w.lines.of(e.keyBegin).begin], col-e.col, true))
		}
		w.indent(col)
		w.put(w.keyText(e, key), shift(w.text[e.keyEnd:e.end], col-e.col, false))
		return
	}
	w.indent(col)
	body := w.text[e.keyEnd:e.end]
	if e.isItem() {
		w.put("-", strings.Repeat(" ", w.style.dash-1))
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

// indentOf the line of an offset.
func (w *writer) indentOf(at int) string {
	line := w.text[w.lines.of(at).begin:at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// keyText is the key as it stands, or another one in the same quotes.
func (w *writer) keyText(e *entry, key string) string {
	text := w.text[e.keyBegin:e.keyEnd]
	switch {
	case key == e.key:
		return text
	case text[0] == '"':
		return string(kjson.Quote(key))
	case text[0] == '\'':
		return "'" + key + "'"
	}
	return key
}

// shift indents lines by so much more, or less where it is negative. Empty lines stay empty.
func shift(text string, by int, first bool) string {
	if by == 0 {
		return text
	}
	var out strings.Builder
	for begin := 0; begin < len(text); {
		end, next := lineEnd(text, begin)
		line := text[begin:end]
		if line != "" && (begin > 0 || first) {
			spaces := len(line) - len(strings.TrimLeft(line, " "))
			line = strings.Repeat(" ", max(by, 0)) + line[min(max(-by, 0), spaces):]
		}
		out.WriteString(line + text[end:next])
		begin = next
	}
	return out.String()
}
