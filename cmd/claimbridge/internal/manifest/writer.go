package manifest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Writer writes objects one after the other.
type Writer interface {
	// Object in JSON.
	Object(object []byte) error
	// Text of documents as it is: of one of YAML, where CanText, or what a part holds.
	Text(text []byte) error
	// CanText tells whether documents of YAML can be written as they were.
	CanText() bool
	// OpenList begins a list with the members before its items. Items and CloseList, with the members behind them,
	// must follow.
	OpenList(before []Member) error
	Item(object []byte) error
	// Items that a part holds.
	Items(text []byte) error
	CloseList(after []Member) error
	// Flush what is still buffered.
	Flush() error
	// Part makes a Writer of documents, or of items of a list that is open here, that are to be given to this one as a
	// whole. So parts can be made at the same time.
	Part(to *bytes.Buffer) Writer
}

// Formats that NewWriter knows.
func Formats() []string { return []string{"yaml", "json"} }

// NewWriter writes YAML documents separated by "---", or JSON, one compact object a line.
func NewWriter(w io.Writer, format string) (Writer, error) {
	buffered := bufio.NewWriterSize(w, 64<<10)
	switch format {
	case "yaml":
		return &yamlWriter{w: buffered}, nil
	case "json":
		return &jsonWriter{w: buffered}, nil
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// buffer of a Writer: in memory, or before another writer.
type buffer interface {
	io.Writer
	io.StringWriter
}

func flush(w buffer) error {
	if w, ok := w.(*bufio.Writer); ok {
		return w.Flush()
	}
	return nil
}

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

type yamlWriter struct {
	w         buffer
	documents int
	empty     bool // the list that is open
}

func (*yamlWriter) Part(to *bytes.Buffer) Writer { return &yamlWriter{w: to} }

func (w *yamlWriter) CanText() bool { return true }

func (w *yamlWriter) Flush() error { return flush(w.w) }

func (w *yamlWriter) separate() error {
	if w.documents++; w.documents == 1 {
		return nil
	}
	_, err := w.w.WriteString("---\n")
	return err
}

func (w *yamlWriter) Object(object []byte) error {
	if err := w.separate(); err != nil {
		return err
	}
	return WriteYAML(w.w, object)
}

func (w *yamlWriter) Text(text []byte) error {
	if isMarker(text) { // it brings its own separator, with more on the line
		w.documents++
	} else if err := w.separate(); err != nil {
		return err
	}
	_, err := w.w.Write(text)
	return err
}

func (w *yamlWriter) members(members []Member) error {
	if len(members) == 0 {
		return nil
	}
	return WriteYAML(w.w, AppendObject(nil, members))
}

func (w *yamlWriter) OpenList(before []Member) error {
	w.empty = true
	if err := w.separate(); err != nil {
		return err
	}
	return w.members(before)
}

// beginItems comes before any item.
func (w *yamlWriter) beginItems() error {
	if !w.empty {
		return nil
	}
	w.empty = false
	_, err := w.w.WriteString("items:\n")
	return err
}

func (w *yamlWriter) Item(object []byte) error {
	if err := w.beginItems(); err != nil {
		return err
	}
	return WriteYAML(w.w, bytes.Join([][]byte{{'['}, object, {']'}}, nil))
}

func (w *yamlWriter) Items(text []byte) error {
	if err := w.beginItems(); err != nil {
		return err
	}
	_, err := w.w.Write(text)
	return err
}

func (w *yamlWriter) CloseList(after []Member) error {
	if w.empty {
		if _, err := w.w.WriteString("items: []\n"); err != nil {
			return err
		}
	}
	return w.members(after)
}
