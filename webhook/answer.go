package webhook

import "io"

// answer to a review, in parts that are written one after the other.
type answer struct {
	// first is a buffer that is given back when it is written. A small answer has nothing else.
	first []byte
	rest  [][]byte
}

func (a answer) size() int {
	size := len(a.first)
	for _, part := range a.rest {
		size += len(part)
	}
	return size
}

// write all of it, unless the caller is gone, who cannot be told. A buffer that could not be written is not used again:
// HTTP/2 returns at once when its stream is reset, and may still be reading.
func (a answer) write(w io.Writer) {
	if _, err := w.Write(a.first); err != nil {
		return
	}
	freeBuffer(a.first)
	for i, part := range a.rest {
		if _, err := w.Write(part); err != nil {
			return
		}
		a.rest[i] = nil
	}
}
