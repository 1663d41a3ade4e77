package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Writer writes objects one after the other.
type Writer interface {
	// Object in JSON.
	Object(object []byte) error
	// Text of a YAML document. Only where CanText.
	Text(text []byte) error
	// CanText tells whether documents can be written as they were.
	CanText() bool
	// OpenList begins a list with the members before its items. Items and CloseList, with the members behind them,
	// must follow.
	OpenList(before []Member) error
	Item(object []byte) error
	CloseList(after []Member) error
	// Flush what is still buffered.
	Flush() error
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

type jsonWriter struct {
	w     *bufio.Writer
	line  []byte
	items int
}

func (w *jsonWriter) CanText() bool { return false }

func (w *jsonWriter) Text([]byte) error { return errors.New("YAML text cannot be written as JSON") }

func (w *jsonWriter) Flush() error { return w.w.Flush() }

// compact gives a value without white space, valid until the next call.
func (w *jsonWriter) compact(value []byte) ([]byte, error) {
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
	if w.items++; w.items > 1 {
		return w.write(",", object, "")
	}
	return w.write("", object, "")
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
	w         *bufio.Writer
	documents int
	items     int
}

func (w *yamlWriter) CanText() bool { return true }

func (w *yamlWriter) Flush() error { return w.w.Flush() }

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
	w.items = 0
	if err := w.separate(); err != nil {
		return err
	}
	return w.members(before)
}

func (w *yamlWriter) Item(object []byte) error {
	if w.items++; w.items == 1 {
		if _, err := w.w.WriteString("items:\n"); err != nil {
			return err
		}
	}
	return WriteYAML(w.w, bytes.Join([][]byte{{'['}, object, {']'}}, nil))
}

func (w *yamlWriter) CloseList(after []Member) error {
	if w.items == 0 {
		if _, err := w.w.WriteString("items: []\n"); err != nil {
			return err
		}
	}
	return w.members(after)
}
