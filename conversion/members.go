package conversion

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// member of a JSON object: its name decoded, its value as it was written.
type member struct {
	name  string
	value []byte
}

// memberList collects the members of one object from a slab, at most so many, and at most as many duplicates. Of duplicates
// the last one counts, in the place of the first.
type memberList struct {
	limit int
	items []member
	// places of names where there are many.
	places map[string]int
	again  int
	// tooMany is set when there were more.
	tooMany bool
}

// fewMembers are looked through one by one.
const fewMembers = 32

// put adds a member, and tells whether it was there.
func (l *memberList) put(m member, from *slab[member]) (twice bool) {
	if l.tooMany {
		return false
	}
	if i := l.find(m.name); i >= 0 {
		l.items[i] = m
		l.again++
		l.tooMany = l.again > l.limit
		return true
	}
	if l.tooMany = len(l.items) == l.limit; l.tooMany {
		return false
	}
	l.items = from.add(l.items)
	l.items[len(l.items)-1] = m
	return false
}

// find the place of a name, or of one that is put next.
func (l *memberList) find(name string) int {
	if len(l.items) < fewMembers {
		return find(l.items, name)
	}
	if l.places == nil {
		l.places = map[string]int{}
		for i := range l.items {
			l.places[l.items[i].name] = i
		}
	}
	if i, ok := l.places[name]; ok {
		return i
	}
	l.places[name] = len(l.items)
	return -1
}

// membersOf lists the members of a JSON object in their order. Of duplicates the last one counts; the paths of
// duplicates are returned. An absent object and null have no members.
func membersOf(object []byte) (members []member, duplicates []string, err error) {
	return readMembers(object, &slab[member]{})
}

// readMembers puts the members into a slab. Names share memory with the object, which must not change any more.
func readMembers(object []byte, from *slab[member]) (members []member, duplicates []string, err error) {
	if len(object) == 0 {
		return nil, nil, nil
	}
	s := jsonscan.New(object)
	list := memberList{limit: maxMembers}
	there, problem := nextIsObject(&s)
	for more := there && s.FirstMember(); more; more = s.NextMember() {
		name := nameOf(object, s.Name())
		begin, end := s.Skip()
		if list.put(member{name, object[begin:end:end]}, from) {
			duplicates = append(duplicates, strings.Clone(name))
		}
	}
	if err := atEnd(&s, object); err != nil {
		return nil, nil, err
	}
	if list.tooMany {
		problem = errManyMembers
	}
	return slices.Clip(list.items), duplicates, problem
}

// nextIsObject tells whether an object comes next. Null is read as one without members, and all else is a problem.
func nextIsObject(s *jsonscan.Scanner) (there bool, problem error) {
	if s.Null() || s.Is('{') {
		return s.Is('{'), nil
	}
	s.Skip()
	return false, errNoObject
}

var errNoObject = &DecodeError{Why: "must be an object"}

func nameOf(object []byte, t jsonscan.Text) string {
	if !t.Escaped && !t.Foreign {
		return view(object[t.Begin:t.End])
	}
	return text(object[t.Begin-1 : t.End+1])
}

// atEnd tells whether a text was read to its end; when not, a decoder that tracks its position says where it is broken.
func atEnd(s *jsonscan.Scanner, object []byte) error {
	if s.AtEnd() {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, err := dec.ReadValue()
	if err == nil {
		err = dec.SkipValue()
	}
	return notJSON(err)
}

// view is a part of an object's text as a string that shares its memory.
func view(part []byte) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

// bytesOf is the other way; they must not be changed.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

func notJSON(err error) error {
	e := &DecodeError{Why: "is not JSON"}
	if s, ok := err.(*jsontext.SyntacticError); ok { //nolint:errorlint // the decoder wraps nothing here
		e.Field = pointerPath(s.JSONPointer)
		e.Why = fmt.Sprintf("is not JSON at byte %d", s.ByteOffset)
	}
	return e
}

func find(members []member, name string) int {
	for i := range members {
		if members[i].name == name {
			return i
		}
	}
	return -1
}

func get(members []member, name string) []byte {
	if i := find(members, name); i >= 0 {
		return members[i].value
	}
	return nil
}
