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
	r := wantReader{scan: kjson.New(object), data: object, seed: seed}
	w := r.value()
	if !r.scan.AtEnd() || w == nil || w.kind != mapping {
		return nil, errWanted
	}
	return w, nil
}

type wantReader struct {
	scan kjson.Scanner
	data []byte
	seed maphash.Seed
}

func (r *wantReader) value() *want {
	w := &want{}
	switch {
	case r.scan.Is('{'):
		w.kind, w.hash = mapping, emptyMapping
		for more := r.scan.FirstMember(); more; more = r.scan.NextMember() {
			m := &member{key: r.text(r.scan.Name())}
			m.value = r.value()
			w.hash += mix(sum(r.seed, true, m.key), m.value.hash)
			w.members = append(w.members, m)
		}
	case r.scan.Is('['):
		w.kind, w.hash = sequence, emptySequence
		for more := r.scan.FirstElement(); more; more = r.scan.NextElement() {
			m := &member{value: r.value()}
			w.hash = mix(w.hash, m.value.hash)
			w.members = append(w.members, m)
		}
	case r.scan.Is('"'):
		w.isText, w.text = true, r.text(r.scan.String())
		w.hash = sum(r.seed, true, w.text)
	default:
		begin, end := r.scan.Skip()
		w.text = string(r.data[begin:end])
		w.hash = sum(r.seed, false, w.text)
	}
	return w
}

func (r *wantReader) text(t kjson.Text) string {
	if r.scan.Failed() {
		return ""
	}
	return unquoted(r.data, t)
}

func unquoted(data []byte, t kjson.Text) string {
	if !t.Escaped && !t.Foreign {
		return string(data[t.Begin:t.End])
	}
	text, _ := kjson.AppendUnquoted(nil, data[t.Begin-1:t.End+1])
	return string(text)
}
