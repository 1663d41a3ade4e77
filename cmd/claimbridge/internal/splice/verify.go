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
	if c := firstLost(s.remarks(), is.comments); c != nil {
		return &NotInPlaceError{Reason: "a comment would get lost", Line: c.line}
	}
	if len(is.comments) > len(s.comments) {
		return &NotInPlaceError{Reason: fmt.Sprintf("%d comments would become %d", len(s.comments), len(is.comments))}
	}
	// Nothing may stand for what an anchor names, but whoever wrote it meant something to.
	if a := firstLost(s.anchors, is.anchors); a != nil {
		return &NotInPlaceError{Reason: fmt.Sprintf("the anchor &%.100s would get lost", a.text), Line: a.line}
	}
	return nil
}

// firstLost of a text is the first that is not, or not as often, in a result.
func firstLost(were, are []remark) *remark {
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
