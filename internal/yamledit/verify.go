package yamledit

import (
	"bytes"
	"errors"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// verify checks that a result is equivalent to the desired object, and has all comments and anchors.
func (s *source) verify(text, desired []byte) error {
	object, result, err := s.reread(text)
	if err != nil {
		if inner, ok := errors.AsType[*NotInPlaceError](err); ok {
			return notEditable(0, "the edited text could not be read: %s", inner.Reason)
		}
		return notEditable(0, "the edited text would not be YAML")
	}
	canonicalResult, canonicalDesired := objectjson.Canonical(object), objectjson.Canonical(desired)
	if canonicalResult == nil || !bytes.Equal(canonicalResult, canonicalDesired) {
		return notEditable(0, "the edited text would not be equivalent to the converted object; please report this "+
			"document as a bug")
	}
	if c := firstLost(s.comments, result.comments, func(c comment) string { return c.text }); c != nil {
		lost := notEditable(c.line, "a comment would be lost")
		lost.losesComment = true
		return lost
	}
	if before, after := len(s.comments), len(result.comments); after > before {
		return notEditable(0, "the number of comments would change from %d to %d", before, after)
	}
	// The author added an anchor for a reason, even if no alias uses it.
	if a := firstLost(s.anchors, result.anchors, func(a anchor) string { return a.name }); a != nil {
		return notEditable(a.line, "the anchor &%.100s would be lost", a.name)
	}
	return nil
}

// reread parses an edited text. It returns the object as JSON, and the text with its comments and anchors.
func (s *source) reread(text []byte) (object []byte, result *source, err error) {
	if s.isJSON {
		result, err = readJSON(text)
		return text, result, err
	}
	d, err := yamldoc.ParseCollection(text, yamldoc.Position{Line: s.firstLine})
	if err != nil {
		return nil, nil, err
	}
	object, err = d.Object(false)
	if err != nil {
		return nil, nil, err
	}
	result, err = withComments(d)
	return object, result, err
}

// withComments reads the comments and anchors of a document, if it can have any.
func withComments(d *yamldoc.Document) (*source, error) {
	if !bytes.ContainsAny(d.Text, "#&") {
		return &source{}, nil
	}
	return readYAML(d)
}

// firstLost returns the first comment or anchor that is in a text more often than in its result, or nil. textOf returns
// what is compared.
func firstLost[T any](before, after []T, textOf func(T) string) *T {
	counts := make(map[string]int, len(after))
	for _, r := range after {
		counts[textOf(r)]++
	}
	for i, b := range before {
		text := textOf(b)
		counts[text]--
		if counts[text] < 0 {
			return &before[i]
		}
	}
	return nil
}
