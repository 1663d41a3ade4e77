package manifest

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

type jsonWriter struct {
	w     buffer
	items int
}

func (*jsonWriter) Part(to *bytes.Buffer) Writer { return &jsonWriter{w: to} }

func (w *jsonWriter) CanText() bool { return false }

func (w *jsonWriter) Text(text []byte) error { return w.write("", text, "") }

func (w *jsonWriter) Flush() error { return flush(w.w) }

// compact writes a value without white space between two texts.
func (w *jsonWriter) compact(before string, value []byte, after string) error {
	out := append(w.w.AvailableBuffer(), before...)
	_, err := w.w.Write(append(kjson.AppendCompact(out, value), after...))
	return err
}

// write a value between two texts.
func (w *jsonWriter) write(before string, value []byte, after string) error {
	if _, err := w.w.WriteString(before); err != nil {
		return err
	}
	if _, err := w.w.Write(value); err != nil {
		return err
	}
	_, err := w.w.WriteString(after)
	return err
}

func (w *jsonWriter) Object(object []byte) error { return w.compact("", object, "\n") }

func (w *jsonWriter) OpenList(before []Member) error {
	w.items = 0
	open := AppendObject(nil, before)
	if len(before) == 0 {
		return w.compact("", open[:1], `"items":[`)
	}
	return w.compact("", open[:len(open)-1], `,"items":[`)
}

func (w *jsonWriter) Item(object []byte) error { return w.compact(w.comma(), object, "") }

func (w *jsonWriter) Items(text []byte) error { return w.write(w.comma(), text, "") }

// comma before all items but the first.
func (w *jsonWriter) comma() string {
	if w.items++; w.items > 1 {
		return ","
	}
	return ""
}

func (w *jsonWriter) CloseList(after []Member) error {
	if len(after) == 0 {
		return w.write("]", nil, "}\n")
	}
	return w.compact("],", AppendObject(nil, after)[1:], "\n")
}
