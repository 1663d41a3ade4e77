package conversion

import (
	"strings"
	"sync"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// workspace is what one conversion reads an object into. It is used again by the next one: nothing of it may outlive
// the conversion. What does, like the header in an error, is cloned.
type workspace struct {
	// text of the object, a copy of the caller's, so that no caller can change it meanwhile. What is read shares memory
	// with it.
	text []byte
	// group of the last object, as a string of its own: mostly the next one has the same.
	group string

	object    object
	template  kjson.Metadata
	leftovers leftover.Leftovers
	// room for the spec and the status.
	room kjson.Room
	// asTyped is set when the texts of an object are not what is converted.
	asTyped bool
}

var workspaces = sync.Pool{New: func() any { return &workspace{} }}

func newWorkspace(object []byte) *workspace {
	w := workspaces.Get().(*workspace)
	w.text = append(w.text[:0], object...)
	return w
}

func (w *workspace) free() {
	if w.text = w.text[:0]; cap(w.text) > kjson.MaxBuffer {
		w.text = nil
	}
	w.object.Forget()
	w.template.Forget()
	w.object, w.leftovers, w.asTyped = object{Object: w.object.Object}, leftover.Leftovers{}, false
	w.room.Reset()
	workspaces.Put(w)
}

// appendValue writes a value behind what is there.
func (w *workspace) appendValue(out []byte, v any) []byte {
	if text, verbatim := v.([]byte); verbatim {
		return append(out, text...)
	}
	return kjson.Append(out, v)
}

// origin of the object for the report: its group and version.
func (w *workspace) origin() (group, version string) {
	h := &w.object.Header
	if w.group != h.Group {
		w.group = strings.Clone(h.Group)
	}
	if at := indexOf(h.Version); at >= 0 {
		return w.group, versions[at]
	}
	return w.group, strings.Clone(h.Version)
}

// load finds where the leftovers of the object are: a template's travel in the metadata that
// controllers copy into claims.
func (w *workspace) load(o Options) error {
	obj := &w.object
	w.leftovers = leftover.Leftovers{Meta: &obj.Metadata, Path: "metadata.", UID: obj.UID, ReportCarried: o.Carried}
	w.leftovers.IsFragment = obj.UID == ""
	w.leftovers.DeletedByWrite = obj.deletedByWrite()
	if obj.Kind == api.KindTemplate {
		if err := kjson.ReadMetadata(kjson.Get(obj.template, "metadata"), &w.template); err != nil {
			return kjson.Within("spec.metadata", err)
		}
		w.leftovers.Meta, w.leftovers.Path = &w.template, "spec.metadata."
		w.leftovers.UnlimitedAnnotations = !o.AnnotationsOnly // built-in templates of 1.26 to 1.33 do have a limit
	}
	return nil
}
