package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// object is one whose metadata, spec and status are still as they were written.
type object struct {
	kjson.Object
	template []kjson.Member // of a template's spec
	// unknown fields of the object itself.
	unknown []string
}

// readObject reads the workspace's text.
func (w *workspace) readObject() error {
	obj := &w.object
	if err := kjson.ReadObject(w.text, &obj.Object); err != nil {
		return err
	}
	obj.unknown = obj.Duplicates
	switch obj.Kind {
	case api.KindClaim:
		obj.notOf(obj.Members, "", "apiVersion", "kind", "metadata", "spec", "status")
	case api.KindTemplate:
		obj.notOf(obj.Members, "", "apiVersion", "kind", "metadata", "spec")
		var duplicates []string
		var err error
		if obj.template, duplicates, err = kjson.Members(kjson.Get(obj.Members, "spec")); err != nil {
			return kjson.Within("spec", err)
		}
		obj.notOf(obj.template, "spec", "metadata", "spec")
		for _, d := range duplicates {
			obj.unknown = append(obj.unknown, kjson.JoinPath("spec", d))
		}
	default:
		return fmt.Errorf("%w %q: must be %s or %s", ErrKind, obj.Kind, api.KindClaim, api.KindTemplate)
	}
	return nil
}

// deletedByWrite reports whether an API server that is asked to write the object deletes it instead: its deletion was
// requested, and it has no finalizers.
func (obj *object) deletedByWrite() bool {
	deletion := kjson.Get(obj.Metadata.Members, "deletionTimestamp")
	finalizers := kjson.Get(obj.Metadata.Members, "finalizers")
	return kjson.Begins(deletion, '"') && len(kjson.Items(finalizers)) == 0
}

// notOf collects members that are not of the kind.
func (obj *object) notOf(members []kjson.Member, path string, known ...string) {
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			obj.unknown = append(obj.unknown, strings.Clone(kjson.JoinPath(path, m.Name)))
		}
	}
}
