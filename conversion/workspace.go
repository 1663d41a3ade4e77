package conversion

import (
	"strings"
	"sync"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// workspace is what one conversion reads an object into. It is used again by the next one: nothing of it may outlive
// the conversion. What does, like the header in an error, is cloned.
type workspace struct {
	room
	// text of the object, a copy of the caller's, so that no caller can change it meanwhile. What is read shares memory
	// with it.
	text []byte
	// group of the last object, as a string of its own: mostly the next one has the same.
	group string

	object   object
	template kjson.Metadata
	carriage carriage
	parts    [spare]stepPart // of the carriage's field
	writer   kjson.Writer
}

// spare parts, one for each step.
const spare = 2

var workspaces = sync.Pool{New: func() any { return &workspace{} }}

func newWorkspace(object []byte) *workspace {
	w := workspaces.Get().(*workspace)
	w.text = append(w.text[:0], object...)
	return w
}

func (w *workspace) free() {
	w.room.reset()
	w.text, w.writer.Out = kept(w.text), nil
	w.object, w.template, w.carriage, w.parts = object{}, kjson.Metadata{}, carriage{}, [spare]stepPart{}
	workspaces.Put(w)
}

// appendValue writes a value behind what is there.
func (w *workspace) appendValue(out []byte, v any) []byte {
	w.writer.Out = out
	writeValue(&w.writer, v)
	return w.writer.Out
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
	*c = carriage{workspace: w, meta: &obj.Metadata, path: "metadata.", uid: obj.UID}
	c.field.parts = w.parts[:0]
	if t := kjson.Get(obj.Metadata.Members, "deletionTimestamp"); len(t) > 0 && t[0] == '"' {
		c.deleting = true
	}
	if obj.Kind == kindTemplate {
		if err := w.arena.ReadMetadata(kjson.Get(obj.template, "metadata"), &w.template); err != nil {
			return kjson.Within("spec.metadata", err)
		}
		c.meta, c.path = &w.template, "spec.metadata."
	}
	return nil
}
