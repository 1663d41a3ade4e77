package yamledit

import (
	"bytes"
	"errors"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// verify that a result says what is wanted, and has all comments and anchors.
func (s *source) verify(text, wanted []byte) error {
	object, is, err := s.reread(text)
	if err != nil {
		if inner, ok := errors.AsType[*NotInPlaceError](err); ok {
			return notInPlace(0, "the edited text could not be read: %s", inner.Reason)
		}
		return notInPlace(0, "the edited text would not be YAML")
	}
	got, want := objectjson.Canonical(object), objectjson.Canonical(wanted)
	if got == nil || !bytes.Equal(got, want) {
		return notInPlace(0, "the edited text would not be equivalent: it is written in an unusual way")
	}
	if c := firstLost(s.comments, is.comments); c != nil {
		return notInPlace(c.line, "a comment would be lost")
	}
	if were, are := len(s.comments), len(is.comments); are > were {
		return notInPlace(0, "%d comments would become %d", were, are)
	}
	// Nothing may stand for what an anchor names, but whoever wrote it meant something to.
	if a := firstLost(s.anchors, is.anchors); a != nil {
		return notInPlace(a.line, "the anchor &%.100s would be lost", a.text)
	}
	return nil
}

// reread a result: what it says, as JSON, and with which remarks.
func (s *source) reread(text []byte) (object []byte, is *source, err error) {
	if s.json {
		is, err = readJSON(text)
		return text, is, err
	}
	d, err := yamldoc.ParseText(text, yamldoc.Position{Line: s.first})
	if list, ok := errors.AsType[*yamldoc.NotObjectError](err); ok && s.root.kind == sequence {
		d, err = list.Document, nil
	}
	if err == nil {
		object, err = d.Object(false)
	}
	if err == nil {
		is, err = withComments(d)
	}
	return object, is, err
}

// withComments reads a document for the comments and anchors in it, if there can be any.
func withComments(d *yamldoc.Document) (*source, error) {
	if !bytes.ContainsAny(d.Text, "#&") {
		return &source{}, nil
	}
	return readYAML(d)
}

// firstLost of a text is the first that is not, or not as often, in a result.
func firstLost(were, are []mark) *mark {
	there := make(map[string]int, len(are))
	for _, r := range are {
		there[r.text]++
	}
	for i := range were {
		if there[were[i].text]--; there[were[i].text] < 0 {
			return &were[i]
		}
	}
	return nil
}
