package conversion

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// room is what a conversion reads values into and makes new ones in. It is used again by the next conversion: nothing
// of it may outlive the one that it serves, but by being written into the answer.
type room struct {
	slabs
	ints slab[int]
	// arena is what is read into.
	arena kjson.Arena
	// digested is there to be at hand, entries collects what steps make.
	entries, digested kjson.Writer
	// config and groups are what an allocation is read into on its way down.
	config allocationConfig
	groups few[[2]string, int]
	made   []madeHandle
	// seen are the entries that a native reading has made.
	seen few[entryKey, struct{}]
	// spellings are the raw values that were compared, in canonical form.
	spellings few[*byte, []byte]
	// texts are strings that were written with escapes, and digests.
	texts []byte
}

// maxTexts in bytes is what is kept for the next conversion: the data of a few handles.
const maxTexts = 64 << 10

func (r *room) reset() {
	r.slabs.reset()
	r.ints.reset()
	r.arena.Reset()
	r.config.data.reset()
	r.config.rest.reset()
	r.groups.reset()
	r.seen.reset()
	r.spellings.reset()
	if cap(r.made) > maxSlab {
		r.made = nil
	}
	clear(r.made)
	r.made = r.made[:0]
	r.texts, r.entries.Out, r.digested.Out = kept(r.texts), kept(r.entries.Out), kept(r.digested.Out)
}

func kept(buffer []byte) []byte {
	if cap(buffer) > maxTexts {
		return nil
	}
	return buffer[:0]
}

// read reads a whole part, if it is clean, into a value that is zero. The value's strings and raw values share memory
// with the part, which must not change any more, or with the room.
func (r *room) read(part []byte, into any) bool {
	reader := r.arena.Reader(part)
	readValue(reader, into)
	return reader.Done()
}

// readStrictly reads what is ours into a value that is zero, however it is written: what is not clean is read by the
// decoder, but nothing that is unknown or there twice is let pass.
func readStrictly[T any](r *room, text []byte, into *T) bool {
	if r.read(text, into) {
		return true
	}
	*into = *new(T)
	if kjson.DecodeStrictly(text, into) {
		return true
	}
	*into = *new(T) // not even what could be read
	return false
}

// encode writes a value into the room.
func (r *room) encode(v any) []byte { return r.written(func(w *kjson.Writer) { writeValue(w, v) }) }

// written is what a function writes into the room.
func (r *room) written(write func(*kjson.Writer)) []byte {
	begin := len(r.entries.Out)
	write(&r.entries)
	return slices.Clip(r.entries.Out[begin:])
}

// quote writes a string as JSON into the room.
func (r *room) quote(s string) []byte {
	begin := len(r.texts)
	r.texts = kjson.AppendQuoted(r.texts, s)
	return slices.Clip(r.texts[begin:])
}

// unquote decodes a string of JSON that was read before.
func (r *room) unquote(quoted []byte) []byte {
	begin := len(r.texts)
	r.texts, _ = kjson.AppendUnquoted(r.texts, quoted)
	return slices.Clip(r.texts[begin:])
}
