package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// object is one whose metadata, spec and status are still as they were written.
type object struct {
	Header
	members  []member
	template []member // of a template's spec
	meta     metadata
	// unknown fields of the object itself.
	unknown []string
}

// readObject reads the workspace's text.
func (w *workspace) readObject() error {
	obj := &w.object
	if err := w.readTop(); err != nil {
		obj.Header, _ = scanHeader(w.text)
		return err
	}
	obj.Header = typeOf(obj.members)
	obj.identify(obj.meta.members)
	if err := obj.meta.problem(); err != nil {
		return within("metadata", err)
	}
	switch obj.Kind {
	case kindClaim:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec", "status")
	case kindTemplate:
		obj.notOf(obj.members, "", "apiVersion", "kind", "metadata", "spec")
		var duplicates []string
		var err error
		if obj.template, duplicates, err = readMembers(get(obj.members, "spec"), &w.members); err != nil {
			return within("spec", err)
		}
		obj.notOf(obj.template, "spec", "metadata", "spec")
		for _, d := range duplicates {
			obj.unknown = append(obj.unknown, joinPath("spec", d))
		}
	default:
		return fmt.Errorf("%w %q: must be %s or %s", ErrKind, obj.Kind, kindClaim, kindTemplate)
	}
	return nil
}

// readTop reads the members, and of metadata those as well.
func (w *workspace) readTop() error {
	if len(w.text) == 0 {
		return nil
	}
	obj := &w.object
	s := jsonscan.New(w.text)
	list := memberList{limit: maxMembers}
	there, problem := nextIsObject(&s)
	for more := there && s.FirstMember(); more; more = s.NextMember() {
		name := nameOf(w.text, s.Name())
		begin := s.Begin()
		if name == "metadata" {
			w.scanMetadata(&s, w.text, &obj.meta)
		} else {
			s.Skip()
		}
		end := s.End()
		if list.put(member{name, w.text[begin:end:end]}, &w.top) {
			obj.unknown = append(obj.unknown, strings.Clone(name))
		}
	}
	obj.members = slices.Clip(list.items)
	if list.tooMany {
		problem = errManyMembers
	}
	if err := atEnd(&s, w.text); err != nil {
		return err
	}
	return problem
}

// notOf collects members that are not of the kind.
func (obj *object) notOf(members []member, path string, known ...string) {
next:
	for _, m := range members {
		for _, k := range known {
			if m.name == k {
				continue next
			}
		}
		obj.unknown = append(obj.unknown, strings.Clone(joinPath(path, m.name)))
	}
}

// complete tells a whole object from a fragment.
func (obj *object) complete() bool { return obj.Name != "" || obj.GenerateName != "" }
