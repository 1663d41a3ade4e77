package conversion

import (
	"unicode/utf8"
	"unsafe"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

//go:generate go run ./internal/jsongen zz_generated.json.go

// reader reads parts of an object into their types, by functions that are generated from the types. It takes clean
// input only, which is what an API server sends: known members, each once, of the right type, in UTF-8. At anything
// else it fails, and [Decode] decides; so it need not know what an API server does then.
type reader struct {
	jsonscan.Scanner
	data []byte
	// source is the same as data: strings that are read are parts of it.
	source string
	// name of the member whose value is next.
	name string
	// built is how much memory lists took so far.
	built uintptr
	room  *room
}

func (r *reader) firstMember() bool { return !r.Null() && r.FirstMember() && r.plainName() }

func (r *reader) nextMember() bool { return r.NextMember() && r.plainName() }

func (r *reader) plainName() bool {
	name := r.Name()
	if name.Escaped {
		r.Fail()
		return false
	}
	r.name = r.source[name.Begin:name.End]
	return true
}

// once fails when a member comes twice.
func (r *reader) once(seen *uint32, member uint32) {
	if *seen&member != 0 {
		r.Fail()
	}
	*seen |= member
}

// text reads a string; null is the empty one.
func (r *reader) text() string {
	if r.Null() {
		return ""
	}
	t := r.String()
	if r.Failed() {
		return ""
	}
	plain := r.source[t.Begin:t.End]
	if t.Foreign && !utf8.ValidString(plain) {
		r.Fail()
		return ""
	}
	if !t.Escaped {
		return plain
	}
	begin := len(r.room.texts)
	texts, ok := jsonscan.AppendUnquoted(r.room.texts, r.data[t.Begin-1:t.End+1])
	if !ok {
		r.Fail()
	}
	r.room.texts = texts
	return view(texts[begin:])
}

// bool reads true or false; null is false.
func (r *reader) bool() bool { return !r.Null() && r.Bool() }

// int reads a whole number; null is 0.
func (r *reader) int() int64 {
	if r.Null() {
		return 0
	}
	return r.Int()
}

// rawOrNull reads any value as it is written.
func (r *reader) rawOrNull() []byte {
	begin, end := r.Skip()
	return r.data[begin:end:end]
}

// raw reads any value as it is written; null is nil.
func (r *reader) raw() []byte {
	if r.Null() {
		return nil
	}
	return r.rawOrNull()
}

// fits tells whether a list may get another item of a size, and fails when not: [Decode] says which list it is.
func (r *reader) fits(items, limit int, size uintptr) bool {
	if r.built += size; items == limit || r.built > maxBuilt {
		r.Fail()
	}
	return !r.Failed()
}

// unlimitedList stands for the limit of lists that have none of their own.
const unlimitedList = -1

// texts reads a list of strings.
func (r *reader) texts(limit int) []string {
	if r.Null() {
		return nil
	}
	list := []string{}
	for more := r.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof("")); more = r.NextElement() {
		list = r.room.strings.add(list)
		list[len(list)-1] = r.text()
	}
	return list[:len(list):len(list)]
}

// readList reads a list of structs into a slab.
func readList[T any](r *reader, limit int, from *slab[T], read func(*reader, *T)) []T {
	if r.Null() {
		return nil
	}
	list := []T{}
	for more := r.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof(*new(T))); more = r.NextElement() {
		list = from.add(list)
		if !r.Null() {
			read(r, &list[len(list)-1])
		}
	}
	return list[:len(list):len(list)]
}

// readSlice reads a list of other values.
func readSlice[T any](r *reader, limit int, read func() T) []T {
	if r.Null() {
		return nil
	}
	list := []T{}
	for more := r.FirstElement(); more && r.fits(len(list), limit, unsafe.Sizeof(*new(T))); more = r.NextElement() {
		list = append(list, read())
	}
	return list
}

// readOne reads a struct behind a pointer into a slab.
func readOne[T any](r *reader, from *slab[T], read func(*reader, *T)) *T {
	if r.Null() {
		return nil
	}
	v := from.one()
	read(r, v)
	return v
}

// readNew reads another value behind a pointer.
func readNew[T any](r *reader, read func() T) *T {
	if r.Null() {
		return nil
	}
	v := read()
	return &v
}
