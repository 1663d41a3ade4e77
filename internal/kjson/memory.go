package kjson

import (
	"reflect"
	"sync"
	"unsafe"
)

// Values are read and written where they lie in memory, by the offsets of their plan: reflection of
// each field would cost more than its text does. All that knows how Go lays out a value is here.

// slice is a list as it lies in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// item of a list.
func (s *slice) item(p *plan, i int) unsafe.Pointer { return unsafe.Add(s.data, uintptr(i)*p.size) }

// at is a value as reflection has it.
func (p *plan) at(v unsafe.Pointer) reflect.Value { return reflect.NewAt(p.typ, v).Elem() }

// asList is a list of such values as reflection has it.
func (p *plan) asList(s *slice) reflect.Value {
	return reflect.NewAt(p.listOf, unsafe.Pointer(s)).Elem()
}

// allocate returns memory for n values, which are zero.
func (p *plan) allocate(n int) unsafe.Pointer {
	if n == 1 {
		return reflect.New(p.typ).UnsafePointer()
	}
	return reflect.MakeSlice(p.listOf, n, n).UnsafePointer()
}

// grow adds an item to a list.
func (s *slice) grow(p *plan) {
	if s.len < s.cap {
		s.len++
		return
	}
	n := s.len + s.len/2 + 1
	larger := slice{data: p.allocate(n), len: s.len + 1, cap: n}
	if s.len > 0 {
		reflect.Copy(p.asList(&larger), p.asList(s))
	}
	*s = larger
}

// Buffer is memory for a text until it is known how long it is. It is used again when it is freed,
// unless it is larger than the data of a few handles.
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
