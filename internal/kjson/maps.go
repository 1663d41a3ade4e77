package kjson

import (
	"maps"
	"slices"
	"unsafe"
)

// ReadMap reads a map with names for keys; null is none. A name that is there twice fails.
func ReadMap[K ~string, V any](r *Reader, read func() V) map[K]V {
	if r.scan.Null() {
		return nil
	}
	into := map[K]V{}
	for more := r.First(); more && r.fits(len(into), NoLimit, pairSize+unsafe.Sizeof(*new(V))); more = r.Next() {
		key := K(r.Name())
		if _, twice := into[key]; twice {
			r.Fail()
			break
		}
		into[key] = read()
	}
	return into
}

// WriteMap writes a map in the order of its keys.
func WriteMap[K ~string, V any](w *Writer, of map[K]V, write func(V)) {
	w.Begin('{')
	for _, key := range slices.Sorted(maps.Keys(of)) {
		w.Text(string(key))
		w.Out = append(w.Out, ':')
		write(of[key])
		w.Comma()
	}
	w.End('}')
}
