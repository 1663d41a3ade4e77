package splice

import (
	"hash/maphash"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// want is a value that the text should say.
type want struct {
	kind    kind
	isText  bool
	text    string // of a scalar: what it says, or JSON that is no text
	hash    uint64
	members []*member
	// What is done about it: the text of a value may stay as it is, be edited, or be written anew.
	same, anew bool
}

// member of an object, or item of an array.
type member struct {
	key   string
	value *want
	kept  *entry // that stays where it is
	moved *entry // whose text is moved here
	// merged is set where a merge key brings it in.
	merged bool
	moves  bool // an entry is moved here, or to somewhere in it
}

var errWanted = &NotInPlaceError{Reason: "what is wanted is not a JSON object"}

// readWanted reads JSON.
func readWanted(object []byte, seed maphash.Seed) (*want, error) {
	r := jsonReader{source: &source{text: object, seed: seed}, scan: kjson.New(object)}
	root, err := r.value(nil)
	if err != nil || !r.scan.AtEnd() || root.kind != mapping {
		return nil, errWanted
	}
	return root.wanted(object), nil
}

// wanted is a value as one that another text should say.
func (n *node) wanted(text []byte) *want {
	w := &want{kind: n.kind, isText: n.isText, hash: n.hash}
	switch {
	case n.isText:
		w.text = kjson.StringOf(text[n.begin:n.end])
	case n.kind == scalar:
		w.text = string(text[n.begin:n.end])
	}
	for _, e := range n.entries {
		w.members = append(w.members, &member{key: e.key, value: e.value.wanted(text)})
	}
	return w
}
