package rawjson

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is the error for a value that exceeds the limit of a [Reader].
var ErrTooLarge = errors.New("value exceeds the limit")

// Reader reads values from a stream. It holds one value in memory, and the bytes after it that were read with it.
type Reader struct {
	from       io.Reader
	limit      int
	bufferSize int
	buffer     []byte
	next       int // index in the buffer of the first byte that was not returned
}

// NewReader returns a reader of values that have at most limit bytes. While it waits for the next value, it keeps a
// buffer of at most bufferSize bytes.
func NewReader(from io.Reader, limit, bufferSize int) *Reader {
	return &Reader{from: from, limit: limit, bufferSize: bufferSize}
}

// Value returns the next value. It shares memory with the reader until the next call. The error is io.EOF if the stream
// ended before the value, and io.ErrUnexpectedEOF if it ended within the value.
func (r *Reader) Value() ([]byte, error) {
	if _, err := r.Peek(); err != nil {
		return nil, err
	}
	var scanner valueScanner
	for scanned := 0; ; {
		part := r.buffer[r.next+scanned:]
		length := scanner.find(part)
		isFound := length >= 0
		switch {
		case scanner.depth < 0 || isFound && scanned+length == 0:
			return nil, errSyntax
		case scanned+max(length, 0) > r.limit:
			return nil, fmt.Errorf("%w of %d bytes", ErrTooLarge, r.limit)
		case isFound:
			begin := r.next
			r.next += scanned + length
			return r.buffer[begin:r.next:r.next], nil
		}
		scanned += len(part)
		if err := r.fill(); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// Peek returns the first byte of the next token, after white space.
func (r *Reader) Peek() (byte, error) {
	for {
		r.next = skipSpace(r.buffer, r.next)
		if r.next < len(r.buffer) {
			return r.buffer[r.next], nil
		}
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
}

// Members reads an object. The function gets the name of each member, and must read the value.
func (r *Reader) Members(read func(name string) error) error {
	return r.elements('{', '}', func() error {
		quoted, err := r.Value()
		if err != nil {
			return err
		}
		name := String(quoted)
		if err := r.token(':'); err != nil {
			return err
		}
		return read(name)
	})
}

// Items reads an array. The function must read one item.
func (r *Reader) Items(read func() error) error { return r.elements('[', ']', read) }

func (r *Reader) elements(begin, end byte, read func() error) error {
	if err := r.token(begin); err != nil {
		return err
	}
	for isFirst := true; ; isFirst = false {
		c, err := r.Peek()
		switch {
		case err != nil:
			return err
		case c == end:
			return r.token(end)
		case !isFirst:
			if err := r.token(','); err != nil {
				return err
			}
		}
		if err := read(); err != nil {
			return err
		}
	}
}

// token reads a delimiter.
func (r *Reader) token(want byte) error {
	c, err := r.Peek()
	if err == nil && c != want {
		err = errSyntax
	}
	r.next++
	return err
}

// fill reads more of the stream behind what is in the buffer.
func (r *Reader) fill() error {
	if r.next > 0 {
		r.buffer = r.buffer[:copy(r.buffer, r.buffer[r.next:])]
		r.next = 0
	}
	if len(r.buffer) == 0 && cap(r.buffer) > r.bufferSize {
		r.buffer = nil
	}
	if len(r.buffer) == cap(r.buffer) {
		larger := make([]byte, len(r.buffer), max(r.bufferSize, 2*cap(r.buffer)))
		copy(larger, r.buffer)
		r.buffer = larger
	}
	n, err := r.from.Read(r.buffer[len(r.buffer):cap(r.buffer)])
	r.buffer = r.buffer[:len(r.buffer)+n]
	if n > 0 {
		return nil // an error occurs again
	}
	return err
}
