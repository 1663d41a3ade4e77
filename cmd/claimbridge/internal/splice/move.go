package splice

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// piece gives the text of an entry that moves to a column of a block under a key: the comments above it, and the rest.
func (w *writer) piece(e *entry, key string, col int) (lead, body []byte) {
	line := w.lines.begins[w.lines.at(e.keyBegin)]
	if e.in.flow {
		if e.isItem() {
			body = append(append(body, '-'), bytes.Repeat([]byte(" "), w.style.dash-1)...)
			body = append(body, w.text[e.begin:e.end]...)
		} else {
			value := e.value.begin
			if colon := bytes.IndexByte(w.text[e.keyEnd:], ':'); colon >= 0 && e.keyEnd+colon < value {
				value = e.keyEnd + colon + 1
			}
			body = append(append(body, w.keyText(e, key)...), ':', ' ')
			body = append(body, bytes.TrimLeft(w.text[value:e.end], " \t\r\n")...)
		}
		if c, is := w.beside(e); is {
			body = append(body, w.text[e.root.value.end:c.end]...)
		}
		body = append(body, w.style.eol...)
		own := len(w.text[line:e.begin]) - len(bytes.TrimLeft(w.text[line:e.begin], " "))
		return nil, append(bytes.Repeat([]byte(" "), col), shift(body, col-own, false)...)
	}
	if !e.behindDash {
		lead = shift(w.text[e.begin:line], col-e.col, true)
	}
	body = append(bytes.Repeat([]byte(" "), e.col), w.keyText(e, key)...)
	body = append(body, w.text[e.keyEnd:e.end]...)
	return lead, shift(body, col-e.col, true)
}

// beside finds the comment behind the entry of a block out of whose brackets a piece moves, if it is on its line and the piece is all that
// the entry says.
func (w *writer) beside(e *entry) (c comment, is bool) {
	if e.root.in.flow || w.lines.at(e.root.keyBegin) != w.lines.at(e.end) {
		return c, false
	}
	for n := e.in; n != e.root.in; n = n.parent {
		if len(n.entries) != 1 {
			return c, false
		}
	}
	list := w.commentsIn(e.root.value.end, w.lines.after(e.end))
	if len(list) == 0 {
		return c, false
	}
	return list[0], true
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
	for begin, n := 0, 0; begin < len(text); n++ {
		end := begin
		for end < len(text) && breakAt(text, end) == 0 {
			end++
		}
		after := end + breakAt(text, end)
		line := text[begin:end]
		switch {
		case len(line) == 0 || n == 0 && !first:
		case by > 0:
			out = append(out, bytes.Repeat([]byte(" "), by)...)
		default:
			for i := 0; i < -by && len(line) > 0 && line[0] == ' '; i++ {
				line = line[1:]
			}
		}
		out = append(append(out, line...), text[end:after]...)
		begin = after
	}
	return out
}
