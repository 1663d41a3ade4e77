package conversion

// slab is a run of values of one type that are handed out one after the other and taken back all at once, when the
// conversion that they were for is over.
type slab[T any] struct{ items []T }

// maxSlab in items is what a slab keeps for the next conversion: more than the limits of the API let one claim have.
const maxSlab = 256

// one hands out a zero value.
func (s *slab[T]) one() *T {
	if len(s.items) == cap(s.items) {
		s.items = make([]T, 0, 2*cap(s.items)+1) // whoever holds parts of the old run keeps it
	}
	s.items = s.items[:len(s.items)+1]
	return &s.items[len(s.items)-1]
}

// put hands out a copy of a value.
func (s *slab[T]) put(v T) *T {
	p := s.one()
	*p = v
	return p
}

// list hands out a list of zero values, which is not nil even when it is empty.
func (s *slab[T]) list(n int) []T {
	begin := len(s.items)
	if begin+n > cap(s.items) || s.items == nil {
		s.items, begin = make([]T, 0, 2*cap(s.items)+n), 0
	}
	s.items = s.items[:begin+n]
	return s.items[begin : begin+n : begin+n]
}

// add a zero value to a list, which is empty or the last that was handed out.
func (s *slab[T]) add(list []T) []T {
	n := len(list)
	if len(s.items) == cap(s.items) {
		s.items = append(make([]T, 0, 2*cap(s.items)+1), list...)
	}
	s.items = s.items[:len(s.items)+1]
	return s.items[len(s.items)-n-1:]
}

// reset takes everything back.
func (s *slab[T]) reset() {
	if len(s.items) == 0 {
		return
	}
	if cap(s.items) > maxSlab {
		s.items = nil
		return
	}
	clear(s.items)
	s.items = s.items[:0]
}
