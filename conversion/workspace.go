package conversion

import (
	"bytes"
	"sync"
)

// workspace is what one conversion reads an object into. It is used again by the next one: nothing of it may outlive
// the conversion. What does are strings and raw values, which share memory with text.
type workspace struct {
	room
	members slab[member]
	pairs   slab[pair]
	// text of the object, a copy of the caller's that is never written to.
	text []byte

	object   object
	template metadata
	carriage carriage
	writer   writer
}

var workspaces = sync.Pool{New: func() any { return &workspace{} }}

func newWorkspace(object []byte) *workspace {
	w := workspaces.Get().(*workspace)
	w.text = bytes.Clone(object)
	return w
}

func (w *workspace) free() {
	w.room.reset()
	w.members.reset()
	w.pairs.reset()
	w.text, w.writer.out = nil, nil
	w.object, w.template, w.carriage = object{}, metadata{}, carriage{}
	workspaces.Put(w)
}

// appendValue writes a value behind what is there.
func (w *workspace) appendValue(out []byte, v any) []byte {
	w.writer.out = out
	w.writer.value(v)
	return w.writer.out
}
