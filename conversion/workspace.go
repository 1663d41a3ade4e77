package conversion

import (
	"strings"
	"sync"
)

// workspace is what one conversion reads an object into. It is used again by the next one: nothing of it may outlive
// the conversion. What does, like the header in an error, is cloned.
type workspace struct {
	room
	// top are members of the object, members those of what it holds, pairs those of labels and annotations.
	top, members, pairs slab[member]
	// text of the object, a copy of the caller's, so that no caller can change it meanwhile. What is read shares memory
	// with it.
	text []byte
	// group of the last object, as a string of its own: mostly the next one has the same.
	group string

	object   object
	template metadata
	carriage carriage
	parts    [spare]stepPart // of the carriage's field
	writer   writer
}

var workspaces = sync.Pool{New: func() any { return &workspace{} }}

func newWorkspace(object []byte) *workspace {
	w := workspaces.Get().(*workspace)
	w.text = append(w.text[:0], object...)
	return w
}

func (w *workspace) free() {
	w.room.reset()
	w.top.reset()
	w.members.reset()
	w.pairs.reset()
	w.text, w.writer.out = kept(w.text), nil
	w.object, w.template, w.carriage, w.parts = object{}, metadata{}, carriage{}, [spare]stepPart{}
	workspaces.Put(w)
}

// appendValue writes a value behind what is there.
func (w *workspace) appendValue(out []byte, v any) []byte {
	w.writer.out = out
	w.writer.value(v)
	return w.writer.out
}

// origin of the object for the report: its group and version.
func (w *workspace) origin() (group, version string) {
	h := &w.object.Header
	if w.group != h.Group {
		w.group = strings.Clone(h.Group)
	}
	if at := place(h.Version); at >= 0 {
		return w.group, versions[at].name
	}
	return w.group, strings.Clone(h.Version)
}

// load makes the carriage of the object ready: a template's leftovers travel in the metadata that controllers copy
// into claims.
func (w *workspace) load() error {
	obj, c := &w.object, &w.carriage
	*c = carriage{workspace: w, meta: &obj.meta, path: "metadata.", uid: obj.UID}
	c.field.parts = w.parts[:0]
	if t := get(obj.meta.members, "deletionTimestamp"); len(t) > 0 && t[0] == '"' {
		c.deleting = true
	}
	if obj.Kind == kindTemplate {
		if err := w.readMetadata(get(obj.template, "metadata"), &w.template); err != nil {
			return within("spec.metadata", err)
		}
		c.meta, c.path = &w.template, "spec.metadata."
	}
	return nil
}
