package splice

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// maxResult in bytes. A conversion nests and carries, which does not double a text; but deep nesting does where each level is a line.
const maxResult = 4 * manifest.MaxDocument

// writer writes the result, from its beginning to its end.
type writer struct {
	*source
	style    style
	out      []byte
	behind   bool // the last line ends with a dash, behind which an entry begins
	stranded []int
	err      error
}

func (w *writer) document(root *node) ([]byte, error) {
	w.copy(0, w.root.begin)
	w.value(w.root, root)
	w.copy(w.root.end, len(w.text))
	if w.err == nil && len(w.out) > maxResult {
		w.tooBig()
	}
	out := w.out
	if len(w.given) < len(w.text) {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	return out, w.err
}

func (w *writer) tooBig() {
	w.err = &NotInPlaceError{Reason: "it would become too big"}
}

func (w *writer) copy(begin, end int) {
	if begin < end {
		w.out = append(w.out, w.text[begin:end]...)
	}
}

func (w *writer) put(text ...string) {
	for _, t := range text {
		w.out = append(w.out, t...)
	}
}

func (w *writer) spaces(n int) {
	if len(w.out) > maxResult { // written anew, values may be nested deep
		if w.err == nil {
			w.tooBig()
		}
		return
	}
	for range n {
		w.out = append(w.out, ' ')
	}
}

// value writes what stays where it is, with what changes in it.
func (w *writer) value(n, v *node) {
	switch {
	case v.same:
		w.copy(n.begin, n.end)
	case n.kind == scalar:
		w.inline(v, n.quote, n.parent != nil && n.parent.flow)
	case n.flow:
		w.flow(n, v)
	default:
		w.block(n, v)
	}
}

// block writes a mapping or a sequence in block style.
func (w *writer) block(n, v *node) {
	items := arrange(n, v)
	w.behind = n.entries[0].behindDash
	next := 0
	until := func(slot int, before func(*entry)) {
		for ; next < len(items) && items[next].slot <= slot; next++ {
			switch it := items[next]; {
			case it.kept != nil:
				w.keep(it.kept, it.wanted)
			default:
				before(it.wanted)
				w.place(it.wanted, n.col)
			}
		}
	}
	at := n.begin
	anywhere := func(*entry) {}
	until(-1, anywhere)
	for i, e := range n.entries {
		w.gap(at, e.begin)
		if at = e.end; !e.gone {
			until(i, anywhere)
			continue
		}
		// Comments of what is gone stay above what moves out of it, if they stood above that, and else below.
		stranded := e.begin
		until(i, func(m *entry) {
			above, below := w.around(e, firstOf(m, n))
			w.strand(stranded, above, e.col)
			stranded = max(stranded, below)
		})
		w.strand(stranded, e.end, e.col)
	}
}

// begin writes the beginning of an entry that stays, and gives where its key stands.
func (w *writer) begin(e *entry) (key int) {
	switch {
	case w.behind:
		w.behind = false
		if !e.behindDash {
			w.hoist(w.text[e.begin:w.lines.begins[w.lines.at(e.keyBegin)]])
		}
	case e.behindDash:
		w.spaces(e.col)
	default:
		w.copy(e.begin, e.keyBegin)
	}
	return e.keyBegin
}

// keep writes an entry that stays where it is.
func (w *writer) keep(e, m *entry) {
	key := w.begin(e)
	switch {
	case m == nil:
		w.copy(key, e.end)
	case m.value.anew:
		w.renew(e, m)
	default:
		w.copy(key, e.value.begin)
		w.value(e.value, m.value)
		w.copy(e.value.end, e.end)
	}
}

// renew writes another value to a key, or behind a dash. A comment on its line stays there, and others go below.
func (w *writer) renew(e, m *entry) {
	at := e.keyEnd
	if !e.isItem() {
		at += bytes.IndexByte(w.text[at:], ':') + 1
	}
	w.copy(e.keyBegin, at)
	line := w.lines.after(e.keyEnd)
	var behind []byte
	if list := w.commentsIn(at, line); len(list) > 0 && !w.isMoved(list[0].begin) {
		c := list[0]
		begin := c.begin
		for begin > at && (w.text[begin-1] == ' ' || w.text[begin-1] == '\t') {
			begin--
		}
		behind = w.text[begin:c.end]
	}
	w.fill(m.value, e.col, e.isItem(), behind)
	w.strand(max(line, at), e.end, e.col)
}

func (e *entry) isItem() bool { return e.in.kind == sequence }

// place writes what is new in a block at a column.
func (w *writer) place(m *entry, col int) {
	if m.moved == nil {
		w.fresh(m, col)
		return
	}
	lead, body := w.piece(m.moved, m.key, col)
	if w.behind {
		w.behind = false
		w.hoist(lead)
		body = bytes.TrimLeft(body, " ")
		lead = nil
	}
	w.out = append(append(w.out, lead...), body...)
}
