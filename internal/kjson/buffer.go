package kjson

import "sync"

// Buffer is memory for a text until it is known how long it is. It is used again when it is freed, unless it is larger than the data of a
// few handles.
type Buffer struct{ Text []byte }

var buffers = sync.Pool{New: func() any { return new(Buffer) }}

// MaxBuffer in bytes is what is kept to be used again.
const MaxBuffer = 64 << 10

// NewBuffer is empty.
func NewBuffer() *Buffer { return buffers.Get().(*Buffer) }

// Free the buffer, whose text must not be used any more.
func (b *Buffer) Free() {
	if cap(b.Text) > MaxBuffer {
		return
	}
	b.Text = b.Text[:0]
	buffers.Put(b)
}
