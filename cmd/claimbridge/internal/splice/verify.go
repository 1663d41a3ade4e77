package splice

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// verify that a result says what is wanted, and has all comments.
func (s *source) verify(text, wanted []byte, spelling *Spelling) error {
	comments, object, err := s.parse(text)
	if err != nil {
		if inner, ok := errors.AsType[*NotInPlaceError](err); ok {
			return &NotInPlaceError{Reason: "what would come out cannot be read: " + inner.Reason}
		}
		return &NotInPlaceError{Reason: "what would come out is not YAML"}
	}
	got, want := kjson.Canonical(object), kjson.Canonical(wanted)
	if got == nil || !bytes.Equal(got, want) && (spelling == nil || !spelling.Same(object)) {
		return &NotInPlaceError{Reason: "what would come out does not say the same: " + s.why()}
	}
	there := make(map[string]int, len(comments))
	for _, words := range comments {
		there[words]++
	}
	for _, c := range s.comments {
		words := string(s.text[c.begin:c.end])
		if there[words]--; there[words] < 0 {
			return &NotInPlaceError{Reason: "a comment would get lost", Line: s.lineOf(c.begin)}
		}
	}
	if len(comments) > len(s.comments) {
		return &NotInPlaceError{Reason: fmt.Sprintf("%d comments would become %d", len(s.comments), len(comments))}
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
