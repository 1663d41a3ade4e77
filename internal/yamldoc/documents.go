package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
)

// Documents returns the documents of a text in memory, parsed and attached to it ([Document.AttachFile]), or the error
// of each document. An error that is not a *DocumentError is the last result.
func Documents(text []byte, name string) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for reader := NewReader(bytes.NewReader(text), name); ; {
			d, err := reader.NextUnparsed()
			if errors.Is(err, io.EOF) {
				return
			}
			if d != nil { // also set for YAML that is not an object
				err = cmp.Or(err, d.AttachFile(text))
			}
			if err == nil {
				err = d.Parse()
			}
			_, more := errors.AsType[*DocumentError](err)
			if !yield(d, err) || err != nil && !more {
				return
			}
		}
	}
}
