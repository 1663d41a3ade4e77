package kjson

import "slices"

// Arena is the memory that reading hands out: the lists and structs of what is read, and strings that were written with
// escapes. It is used again after Reset: nothing that was read may outlive that. Its zero value is ready.
type Arena struct {
	// top are the members of an object, members those of what it holds, pairs those of labels and annotations.
	top, members, pairs slab[Member]
	// slabs of all other types, by the index of their Slab.
	slabs []interface{ reset() }
	texts []byte
	// reader is here to be at hand.
	reader Reader
}

// maxTexts in bytes is what is kept for the next use: the data of a few handles.
const maxTexts = 64 << 10

// Reset takes back all that was read.
func (a *Arena) Reset() {
	a.top.reset()
	a.members.reset()
	a.pairs.reset()
	for _, s := range a.slabs {
		if s != nil {
			s.reset()
		}
	}
	if cap(a.texts) > maxTexts {
		a.texts = nil
	}
	a.texts, a.reader = a.texts[:0], Reader{}
}

// KeepTexts lets strings that were read outlive the next Reset: their memory is not used again.
func (a *Arena) KeepTexts() { a.texts = nil }

// quote writes a string as JSON into the arena, if there is one.
func (a *Arena) quote(text string) []byte {
	if a == nil {
		return Quote(text)
	}
	begin := len(a.texts)
	a.texts = AppendQuoted(a.texts, text)
	return slices.Clip(a.texts[begin:])
}

// Slab names the values of one type in any arena.
type Slab[T any] struct{ index int }

// slabs so far. It is counted up while packages begin, and not changed after that.
var slabs int

// NewSlab is called by generated code, once for each type and from variables of its package alone.
func NewSlab[T any]() Slab[T] {
	slabs++
	return Slab[T]{slabs - 1}
}

// in an arena; without one, a slab of its own.
func (s Slab[T]) in(a *Arena) *slab[T] {
	if a == nil {
		return new(slab[T])
	}
	if len(a.slabs) == 0 {
		a.slabs = make([]interface{ reset() }, slabs)
	}
	if a.slabs[s.index] == nil {
		a.slabs[s.index] = new(slab[T])
	}
	return a.slabs[s.index].(*slab[T])
}

// slab is a run of values of one type that are handed out one after the other and taken back all at once.
type slab[T any] struct{ items []T }

// maxSlab in items is what a slab keeps for the next use: more than the limits of the API let one claim have.
const maxSlab = 256

// one hands out a zero value.
func (s *slab[T]) one() *T {
	if len(s.items) == cap(s.items) {
		s.items = make([]T, 0, 2*cap(s.items)+1) // whoever holds parts of the old run keeps it
	}
	s.items = s.items[:len(s.items)+1]
	return &s.items[len(s.items)-1]
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
