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

// Room for values that are read one after the other and forgotten together, so that it can be used
// again. None gives each value memory of its own.
type Room struct {
	slabs []slab // by the numbers of plans
	used  []int  // numbers of those that are
}

// slab of values of one type.
type slab struct {
	values reflect.Value
	data   unsafe.Pointer
	used   int
	size   int
}

const (
	smallSlab = 8        // values
	maxSlab   = 16 << 10 // bytes that are kept
)

// In is a value in a room.
func In[T any](r *Room) *T { return (*T)(r.take(planOf(reflect.TypeFor[T]()), 1)) }

// take memory for so many values, which are zero.
func (r *Room) take(p *plan, n int) unsafe.Pointer {
	switch {
	case r == nil && n == 1:
		return reflect.New(p.typ).UnsafePointer()
	case r == nil:
		return reflect.MakeSlice(p.listOf, n, n).UnsafePointer()
	case len(r.slabs) <= p.number:
		r.slabs = append(r.slabs, make([]slab, p.number+1-len(r.slabs))...)
	}
	s := &r.slabs[p.number]
	if s.used == 0 {
		r.used = append(r.used, p.number)
	}
	if s.used+n > s.size {
		size := max(n, smallSlab)
		values := reflect.New(p.listOf).Elem()
		values.Set(reflect.MakeSlice(p.listOf, size, size))
		*s = slab{values: values, data: values.UnsafePointer(), size: size}
	}
	taken := unsafe.Add(s.data, uintptr(s.used)*p.size)
	s.used += n
	return taken
}

// grow a list by one item, where it lies if there is room behind it.
func (r *Room) grow(p *plan, s *slice) {
	if s.len < s.cap {
		s.len++
		return
	}
	if r != nil && s.cap > 0 {
		b := &r.slabs[p.number]
		if b.used < b.size && uintptr(s.data)+uintptr(s.cap)*p.size == uintptr(b.data)+uintptr(b.used)*p.size {
			b.used++
			s.len, s.cap = s.len+1, s.cap+1
			return
		}
	}
	n := s.len + s.len/2 + 1
	bigger := slice{r.take(p, n), s.len + 1, n}
	if s.len > 0 {
		reflect.Copy(p.asList(&bigger), p.asList(s))
	}
	*s = bigger
}

// Reset forgets all values, of which none may be used any more.
func (r *Room) Reset() {
	for _, number := range r.used {
		s := &r.slabs[number]
		if s.size*int(s.values.Type().Elem().Size()) > maxSlab {
			*s = slab{}
			continue
		}
		s.values.SetLen(s.used)
		s.values.Clear()
		s.values.SetLen(s.size)
		s.used = 0
	}
	r.used = r.used[:0]
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
