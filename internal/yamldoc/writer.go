package yamldoc

import (
	"bufio"
	"bytes"
	"io"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Writer writes a sequence of objects: as YAML documents separated by "---", or as JSON with one compact object a line.
type Writer struct {
	out       buffer
	isJSON    bool
	separator string // before the next document
}

// buffer is the output of a Writer: in memory, or a buffer before another writer.
type buffer interface {
	io.Writer
	io.StringWriter
	AvailableBuffer() []byte
}

// Formats returns the formats that NewWriter accepts.
func Formats() []string { return []string{"yaml", "json"} }

// NewWriter returns a writer of one of the Formats.
func NewWriter(w io.Writer, format string) *Writer {
	to := bufio.NewWriterSize(w, 64<<10)
	return &Writer{out: to, isJSON: format == "json"}
}

// Part returns a Writer to a buffer whose content is later passed to WriteText of this one, so that several goroutines
// can write parts.
func (w *Writer) Part(to *bytes.Buffer) *Writer { return &Writer{out: to, isJSON: w.isJSON} }

// Flush writes buffered data to the writer that NewWriter got. For a part, it does nothing.
func (w *Writer) Flush() error {
	if out, isBuffered := w.out.(*bufio.Writer); isBuffered {
		return out.Flush()
	}
	return nil
}

// CanWriteText reports whether YAML documents can be written unchanged, because the output is YAML.
func (w *Writer) CanWriteText() bool { return !w.isJSON }

// WriteText writes text unchanged: that of a YAML document if CanWriteText is true, or the content of a part.
func (w *Writer) WriteText(text []byte) error {
	before := w.beforeDocument()
	if isMarker(text) { // the text has its own separator, with content on the same line
		before = ""
	}
	if _, err := w.out.WriteString(before); err != nil {
		return err
	}
	_, err := w.out.Write(text)
	return err
}

// WriteObject writes an object, which is JSON.
func (w *Writer) WriteObject(object []byte) error {
	if w.isJSON {
		text := objectjson.AppendCompact(w.out.AvailableBuffer(), object)
		_, err := w.out.Write(append(text, '\n'))
		return err
	}
	if _, err := w.out.WriteString(w.beforeDocument()); err != nil {
		return err
	}
	return WriteYAML(w.out, object)
}

func (w *Writer) beforeDocument() (before string) {
	before = w.separator
	if !w.isJSON {
		w.separator = "---\n"
	}
	return before
}
