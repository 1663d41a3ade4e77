package splice

import (
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// maxResult in bytes. A conversion nests and carries, which does not double a text; but deep nesting does where each level is a line.
const maxResult = 4 * manifest.MaxDocument

// writer writes the result, from its beginning to its end.
type writer struct {
	*source
	style style
	out   []byte
	// dash is the beginning of a line, with a dash behind which the next key stands: it waits for the comments above that key.
	dash     string
	line     int // where the last line begins that has a key
	stranded []int
	tooBig   bool
}

func (w *writer) document(root *node) ([]byte, error) {
	w.copy(0, w.root.begin)
	w.line = w.lines.of(w.root.begin).begin
	w.value(root)
	w.copy(w.root.end, len(w.text))
	if w.tooBig || len(w.out) > maxResult {
		return nil, &NotInPlaceError{Reason: "it would become too big"}
	}
	if w.cutShort {
		return []byte(strings.TrimSuffix(strings.TrimSuffix(string(w.out), "\n"), "\r")), nil
	}
	return w.out, nil
}

func (w *writer) put(text ...string) {
	for _, t := range text {
		w.out = append(w.out, t...)
	}
}

func (w *writer) copy(begin, end int) { w.put(w.text[begin:max(begin, end)]) }

func (w *writer) spaces(n int) {
	w.tooBig = w.tooBig || len(w.out) > maxResult // written anew, values may be nested deep
	if !w.tooBig {
		w.put(strings.Repeat(" ", n))
	}
}

// comments writes lines of comments and blank lines. Before a key behind a dash they go above the dash, indented as that.
func (w *writer) comments(text string) {
	switch {
	case w.dash == "":
		w.put(text)
		return
	case strings.TrimSpace(text) == "":
		return
	}
	indent := w.dash[:len(w.dash)-len(strings.TrimLeft(w.dash, " "))]
	for line := range strings.Lines(text) {
		if content := strings.TrimLeft(line, " \t"); strings.TrimSpace(content) != "" {
			w.put(indent, content)
		} else {
			w.put(w.style.eol)
		}
	}
}

// indent begins the line of a key at a column, with its dash where it has one.
func (w *writer) indent(col int) {
	if w.line = len(w.out); w.dash == "" {
		w.spaces(col)
	}
	w.put(w.dash)
	w.dash = ""
}

// holdBack the line that was begun, which ends with a dash, until the key behind that is known.
func (w *writer) holdBack() { w.dash, w.out = string(w.out[w.line:]), w.out[:w.line] }

// value writes what stays where it is, with what changes in it.
func (w *writer) value(v *node) {
	switch n := v.was; {
	case v.same:
		w.copy(n.begin, n.end)
	case n.kind == scalar:
		w.inline(v, n.quote, n.inFlow())
	case n.flow:
		w.flow(n, v)
	default:
		w.block(n, v)
	}
}

// block writes a mapping or a sequence in block style.
func (w *writer) block(n, v *node) {
	if n.entries[0].behindDash {
		w.holdBack()
	}
	items, at := v.entries, n.begin
	for slot := -1; slot < len(n.entries); slot++ {
		var gone *entry // that was here
		from := 0       // where the comments of it begin that are not written yet
		if slot >= 0 {
			e := n.entries[slot]
			w.comments(w.text[at:max(at, e.begin)])
			if at = e.end; e.root != nil {
				gone, from = e, e.begin
			}
		}
		for ; len(items) > 0 && items[0].slot == slot; items = items[1:] {
			m := items[0]
			if m.kept != nil {
				w.keep(m.kept, m.value)
				continue
			}
			if gone != nil { // its comments stay above what moves out of it, if they stood above that, and else below
				above, below := w.around(gone, firstOf(m, n))
				w.strand(from, above, gone.col)
				from = max(from, below)
			}
			w.place(m, n.col)
		}
		if gone != nil {
			w.strand(from, gone.end, gone.col)
		}
	}
}

// keep writes an entry that stays where it is.
func (w *writer) keep(e *entry, v *node) {
	if !e.behindDash {
		w.comments(w.text[e.begin:w.lines.of(e.keyBegin).begin])
	}
	w.indent(e.col)
	if v.anew {
		w.renew(e, v)
		return
	}
	w.copy(e.keyBegin, e.value.begin)
	w.value(v)
	w.copy(e.value.end, e.end)
}

// renew writes another value to a key, or behind a dash. A comment on its line stays there, and others go below.
func (w *writer) renew(e *entry, v *node) {
	at := e.keyEnd
	if !e.isItem() {
		at += strings.IndexByte(w.text[at:], ':') + 1
	}
	w.copy(e.keyBegin, at)
	line := w.lines.after(e.keyEnd)
	behind := ""
	if list := w.commentsIn(at, line); len(list) > 0 && !list[0].moved {
		before := strings.TrimRight(w.text[at:list[0].begin], " \t")
		behind = w.text[at+len(before) : list[0].end]
	}
	w.fill(v, e.col, e.isItem(), behind)
	w.strand(max(line, at), e.end, e.col)
}

// place writes what is new in a block at a column.
func (w *writer) place(m *entry, col int) {
	if m.moved != nil {
		w.move(m.moved, m.key, col)
		return
	}
	w.indent(col)
	if m.isItem() {
		w.put("-")
	} else {
		w.inline(&node{isText: true, text: m.key}, 0, false)
		w.put(":")
	}
	w.fill(m.value, col, m.isItem(), "")
}
