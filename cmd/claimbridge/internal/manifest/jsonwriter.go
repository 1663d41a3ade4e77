package manifest

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

type jsonWriter struct {
	w     buffer
	line  []byte
	items int
}

func (*jsonWriter) Part(to *bytes.Buffer) Writer { return &jsonWriter{w: to} }

func (w *jsonWriter) CanText() bool { return false }

func (w *jsonWriter) Text(text []byte) error { return w.write("", text, "") }

func (w *jsonWriter) Flush() error { return flush(w.w) }

// compact gives a value without white space, valid until the next call.
func (w *jsonWriter) compact(value []byte) ([]byte, error) {
	if isCompact(value) {
		return value, nil
	}
	v := jsontext.Value(append(w.line[:0], value...))
	err := v.Compact()
	if w.line = v; err != nil {
		return nil, plain(err)
	}
	return v, nil
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

func (w *jsonWriter) Object(object []byte) error {
	object, err := w.compact(object)
	if err != nil {
		return err
	}
	return w.write("", object, "\n")
}

func (w *jsonWriter) OpenList(before []Member) error {
	w.items = 0
	open, err := w.compact(AppendObject(nil, before))
	if err != nil {
		return err
	}
	if len(before) == 0 {
		return w.write("", open[:1], `"items":[`)
	}
	return w.write("", open[:len(open)-1], `,"items":[`)
}

func (w *jsonWriter) Item(object []byte) error {
	object, err := w.compact(object)
	if err != nil {
		return err
	}
	return w.Items(object)
}

func (w *jsonWriter) Items(text []byte) error {
	if w.items++; w.items > 1 {
		return w.write(",", text, "")
	}
	return w.write("", text, "")
}

func (w *jsonWriter) CloseList(after []Member) error {
	end, err := w.compact(AppendObject(nil, after))
	if err != nil {
		return err
	}
	if len(after) == 0 {
		return w.write("]", nil, "}\n")
	}
	return w.write("],", end[1:], "\n")
}
