package yamldoc

import (
	"bufio"
	"bytes"
	"io"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Writer writes objects one after the other: YAML documents separated by "---", or JSON, one compact object a line.
type Writer struct {
	Flush     func() error // what is still buffered; nil of a part
	out       buffer
	isJSON    bool
	separator string // before the next document
}

// buffer of a Writer: in memory, or before another writer.
type buffer interface {
	io.Writer
	io.StringWriter
	AvailableBuffer() []byte
}

// Formats that NewWriter knows.
func Formats() []string { return []string{"yaml", "json"} }

// NewWriter of one of the Formats.
func NewWriter(w io.Writer, format string) *Writer {
	to := bufio.NewWriterSize(w, 64<<10)
	return &Writer{Flush: to.Flush, out: to, isJSON: format == "json"}
}

// Part makes a Writer of documents that are to be given to this one as a whole. So parts can be made at the same time.
func (w *Writer) Part(to *bytes.Buffer) *Writer { return &Writer{out: to, isJSON: w.isJSON} }

// CanText reports whether documents of YAML can be written as they were.
func (w *Writer) CanWriteText() bool { return !w.isJSON }

// Text of documents as it is: of one of YAML, where CanText, or what a part holds.
func (w *Writer) WriteText(text []byte) error {
	before := w.beforeDocument()
	if isMarker(text) { // it brings its own separator, with more on the line
		before = ""
	}
	return w.write(before, text)
}

// Object in JSON.
func (w *Writer) WriteObject(object []byte) error {
	if w.isJSON {
		return w.writeValue("", object, "\n")
	}
	return w.writeValue(w.beforeDocument(), object, "")
}

func (w *Writer) beforeDocument() (before string) {
	if before = w.separator; !w.isJSON {
		w.separator = "---\n"
	}
	return before
}

// put a value between two texts, the second of which YAML has none: as a block, or without white space as JSON.
func (w *Writer) writeValue(before string, value []byte, after string) error {
	if w.isJSON {
		text := append(w.out.AvailableBuffer(), before...)
		_, err := w.out.Write(append(objectjson.AppendCompact(text, value), after...))
		return err
	}
	if err := w.write(before, nil); err != nil {
		return err
	}
	return WriteYAML(w.out, value)
}

func (w *Writer) write(before string, text []byte) error {
	if _, err := w.out.WriteString(before); err != nil {
		return err
	}
	_, err := w.out.Write(text)
	return err
}
