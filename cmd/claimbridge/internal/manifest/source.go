package manifest

import (
	"errors"
	"io"
)

// Within gives a document the text that it has in a file, which is in memory as a whole and whose stream it was read from. It
// must be asked before the next document is read. A list of JSON is read to its end, and is not open any more.
//
// An error stands for a list that breaks off, or is bigger than MaxDocument: what is edited is held as a whole.
func (d *Document) Within(file []byte) error {
	if list := d.list; list != nil {
		list.drain()
		if !list.complete || !errors.Is(list.err, io.EOF) {
			return &DocumentError{d.Position, list.err}
		}
		d.end = list.json.chunk.base + list.json.InputOffset()
	}
	d.source = file[d.begin:d.end:d.end]
	if d.text != nil {
		return nil
	}
	if len(d.source) > MaxDocument {
		return &DocumentError{d.Position, errTooBigToEdit}
	}
	if d.object = d.source; d.list != nil {
		d.list = nil
		d.APIVersion, d.Kind = TypeOf(d.object)
	}
	return nil
}

// Source is the document as it stands in the file that it is Within, where it begins there and where it ends: from its first
// comment to its separator of YAML, or from brace to brace of JSON.
func (d *Document) Source() (text []byte, begin, end int) { return d.source, int(d.begin), int(d.end) }
