package splice

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// verify that a result says what is wanted, and has all comments and anchors.
func (s *source) verify(text, wanted []byte, spelling *Spelling) error {
	is, err := s.parse(text)
	if err != nil {
		if inner, ok := errors.AsType[*NotInPlaceError](err); ok {
			return &NotInPlaceError{Reason: "what would come out cannot be read: " + inner.Reason}
		}
		return &NotInPlaceError{Reason: "what would come out is not YAML"}
	}
	got, want := kjson.Canonical(is.object), kjson.Canonical(wanted)
	if got == nil || !bytes.Equal(got, want) && (spelling == nil || !spelling.Same(is.object)) {
		return &NotInPlaceError{Reason: "what would come out does not say the same: " + s.why()}
	}
	there := make(map[string]int, len(is.comments))
	for _, words := range is.comments {
		there[words]++
	}
	for _, c := range s.comments {
		words := string(s.text[c.begin:c.end])
		if there[words]--; there[words] < 0 {
			return &NotInPlaceError{Reason: "a comment would get lost", Line: s.lineOf(c.begin)}
		}
	}
	if len(is.comments) > len(s.comments) {
		return &NotInPlaceError{Reason: fmt.Sprintf("%d comments would become %d", len(s.comments), len(is.comments))}
	}
	return s.keepsAnchors(is.anchors)
}

// keepsAnchors reports which anchor is in the text and not among those of a result. Nothing may stand for what it is, but whoever wrote it
// meant something to.
func (s *source) keepsAnchors(are []anchor) error {
	there := make(map[string]int, len(are))
	for _, a := range are {
		there[a.name]++
	}
	for _, a := range s.anchors {
		if there[a.name]--; there[a.name] < 0 {
			return &NotInPlaceError{Reason: fmt.Sprintf("the anchor &%.100s would get lost", a.name), Line: a.line}
		}
	}
	return nil
}

// why a text may not say what is wanted after an edit.
func (s *source) why() string {
	switch {
	case bytes.Contains(s.text, []byte("<<")):
		return "it has merge keys"
	case bytes.IndexByte(s.text, '*') >= 0:
		return "it has an alias of what changes"
	}
	return "it is written in an unusual way"
}
