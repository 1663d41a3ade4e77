package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
)

// Documents of a text that is in memory as a whole, parsed and each Within it, or with the reason
// for which one is not. What is no *DocumentError is the last.
func Documents(text []byte, name string) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for reader := NewReader(bytes.NewReader(text), name); ; {
			d, err := reader.Find()
			if errors.Is(err, io.EOF) {
				return
			}
			if d != nil { // also one that was parsed and is no object
				err = cmp.Or(err, d.Within(text))
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
