package conversion

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// metadata is an ObjectMeta as bytes. It is not ours: only annotations and labels of ours are added and removed, all
// else passes through untouched.
type metadata struct {
	members             []member
	annotations, labels stringMap
}

// member of a JSON object: its name decoded, its value as it was written.
type member struct {
	name  string
	value []byte
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
	if s.Null() {
		return nil, nil, atEnd(&s, object)
	}
	if !s.Is('{') {
		s.Skip()
		if err := atEnd(&s, object); err != nil {
			return nil, nil, err
		}
		return nil, nil, &DecodeError{Why: "must be an object"}
	}
	var seen names
	for more := s.FirstMember(); more; more = s.NextMember() {
		m := member{name: nameOf(object, s.Name())}
		begin, end := s.Skip()
		m.value = object[begin:end:end]
		if i, twice := seen.find(members, m.name); twice {
			duplicates = append(duplicates, strings.Clone(m.name))
			members[i] = m
			continue
		}
		members = from.add(members)
		members[len(members)-1] = m
	}
	if err := atEnd(&s, object); err != nil {
		return nil, nil, err
	}
	return members[:len(members):len(members)], duplicates, nil
}

func nameOf(object []byte, t jsonscan.Text) string {
	if !t.Escaped && !t.Foreign {
		return view(object[t.Begin:t.End])
	}
	return text(object[t.Begin-1 : t.End+1])
}

// names finds members by name; where there are many of them by a map.
type names struct{ places map[string]int }

// fewMembers are looked through one by one.
const fewMembers = 32

func (n *names) find(members []member, name string) (int, bool) {
	if len(members) < fewMembers {
		i := find(members, name)
		return i, i >= 0
	}
	if n.places == nil {
		n.places = map[string]int{}
		for i := range members {
			n.places[members[i].name] = i
		}
	}
	i, ok := n.places[name]
	if !ok {
		n.places[name] = len(members)
	}
	return i, ok
}

// atEnd tells whether a text was read to its end; when not, a decoder that keeps account says where it is broken.
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

func (w *workspace) readMetadata(raw []byte, m *metadata) (err error) {
	if m.members, _, err = readMembers(raw, &w.members); err != nil {
		return err
	}
	if err := w.readStringMap("annotations", get(m.members, "annotations"), &m.annotations); err != nil {
		return err
	}
	return w.readStringMap("labels", get(m.members, "labels"), &m.labels)
}

// text reads a string, which may share memory with the value; anything but a string is "".
func text(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s := jsonscan.New(value)
	if t := s.String(); !t.Escaped && !t.Foreign {
		return view(value[t.Begin:t.End])
	}
	unquoted, _ := jsonscan.AppendUnquoted(nil, value)
	return view(unquoted)
}

// isRead tells the members that kube-apiserver reads in the answer of a conversion webhook; it restores the others.
func isRead(name string) bool {
	switch name {
	case "name", "generateName", "namespace", "uid", "labels", "annotations":
		return true
	}
	return false
}

// changed tells whether anything of ours was added or removed.
func (m *metadata) changed() bool { return m.annotations.changed || m.labels.changed }

// append writes the object.
func (m *metadata) append(out []byte, trim bool) []byte {
	out = append(out, '{')
	for _, member := range m.members {
		switch {
		case trim && !isRead(member.name):
		case member.name == "annotations" && m.annotations.changed:
			out = m.annotations.appendMember(out, member.name)
		case member.name == "labels" && m.labels.changed:
			out = m.labels.appendMember(out, member.name)
		default:
			out = append(appendName(out, member.name), member.value...)
		}
	}
	if m.annotations.changed && find(m.members, "annotations") < 0 {
		out = m.annotations.appendMember(out, "annotations")
	}
	if m.labels.changed && find(m.members, "labels") < 0 {
		out = m.labels.appendMember(out, "labels")
	}
	return append(out, '}')
}

// appendName writes the name of a member and what is before and behind it.
func appendName(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(jsonscan.AppendQuoted(out, name), ':')
}
