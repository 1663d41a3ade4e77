package review

import "sync"

// smallBuffer in bytes is the size of buffers that are used again: a review of a claim of some kilobytes, and its
// answer. Bigger ones are rare, and memory is better left to the collector.
const smallBuffer = MinWeight

var buffers = sync.Pool{New: func() any { return new([smallBuffer]byte) }}

// newBuffer has room for a number of bytes, and is empty.
func newBuffer(size int) []byte {
	if size > smallBuffer {
		return make([]byte, 0, size)
	}
	return buffers.Get().(*[smallBuffer]byte)[:0]
}

// freeBuffer gives a buffer back; nobody may use it any more.
func freeBuffer(buffer []byte) {
	if cap(buffer) == smallBuffer {
		buffers.Put((*[smallBuffer]byte)(buffer[:smallBuffer]))
	}
}
