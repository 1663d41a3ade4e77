package kjson

import "unsafe"

// NoLimit stands for the limit of lists that have none of their own.
const NoLimit = -1

// fits reports whether a list may get another item of a size, and fails when not: [Decode] says which list it is.
func (r *Reader) fits(items, limit int, size uintptr) bool {
	if r.built += size; items == limit || r.built > MaxBuilt {
		r.Fail()
	}
	return !r.scan.Failed()
}

var slabString = NewSlab[string]()

// Texts reads a list of strings.
func (r *Reader) Texts(limit int) []string {
	if r.scan.Null() {
		return nil
	}
	list, slab := []string{}, slabString.in(r.arena)
	for more := r.scan.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof("")); more = r.scan.NextElement() {
		list = slab.add(list)
		list[len(list)-1] = r.Text()
	}
	return list[:len(list):len(list)]
}

// ReadList reads a list of structs into the arena.
func ReadList[T any](r *Reader, limit int, from Slab[T], read func(*Reader, *T)) []T {
	if r.scan.Null() {
		return nil
	}
	list, slab := []T{}, from.in(r.arena)
	for more := r.scan.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof(*new(T))); more = r.scan.NextElement() {
		list = slab.add(list)
		if !r.scan.Null() {
			read(r, &list[len(list)-1])
		}
	}
	return list[:len(list):len(list)]
}

// ReadSlice reads a list of other values.
func ReadSlice[T any](r *Reader, limit int, read func() T) []T {
	if r.scan.Null() {
		return nil
	}
	list := []T{}
	for more := r.scan.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof(*new(T))); more = r.scan.NextElement() {
		list = append(list, read())
	}
	return list
}

// ReadOne reads a struct behind a pointer into the arena.
func ReadOne[T any](r *Reader, from Slab[T], read func(*Reader, *T)) *T {
	if r.scan.Null() {
		return nil
	}
	v := from.in(r.arena).one()
	read(r, v)
	return v
}

// ReadNew reads another value behind a pointer.
func ReadNew[T any](r *Reader, read func() T) *T {
	if r.scan.Null() {
		return nil
	}
	v := read()
	return &v
}
