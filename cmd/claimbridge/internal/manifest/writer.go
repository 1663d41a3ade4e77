package manifest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Writer writes objects one after the other.
type Writer interface {
	// Object in JSON.
	Object(object []byte) error
	// Text of documents as it is: of one of YAML, where CanText, or what a part holds.
	Text(text []byte) error
	// CanText reports whether documents of YAML can be written as they were.
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
	AvailableBuffer() []byte
}

func flush(w buffer) error {
	if w, ok := w.(*bufio.Writer); ok {
		return w.Flush()
	}
	return nil
}
