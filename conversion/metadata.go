package conversion

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// metadata is an ObjectMeta as bytes. It is not ours: only annotations and labels of ours are added and removed, all
// else passes through untouched.
type metadata struct {
	members             []member
	annotations, labels *stringMap
}

// member of a JSON object: its name decoded, its value as it was written.
type member struct {
	name  string
	value []byte
}

// membersOf lists the members of a JSON object in their order. Of duplicates the last one counts; the paths of
// duplicates are returned. An absent object and null have no members.
func membersOf(object []byte) (members []member, duplicates []string, err error) {
	if len(object) == 0 {
		return nil, nil, nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch dec.PeekKind() {
	case '{':
	case 'n':
		_, err := dec.ReadToken()
		return nil, nil, err
	default:
		if _, err := dec.ReadValue(); err != nil {
			return nil, nil, notJSON(err)
		}
		return nil, nil, &DecodeError{Why: "must be an object"}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, nil, notJSON(err)
	}
	seen := map[string]int{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, nil, notJSON(err)
		}
		m := member{name: name.String()}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, nil, notJSON(err)
		}
		end := int(dec.InputOffset())
		m.value = object[end-len(value) : end : end]
		if i, twice := seen[m.name]; twice {
			duplicates = append(duplicates, m.name)
			members[i] = m
			continue
		}
		seen[m.name] = len(members)
		members = append(members, m)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, nil, notJSON(err)
	}
	return members, duplicates, nil
}

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

func readMetadata(raw []byte) (*metadata, error) {
	members, _, err := membersOf(raw)
	if err != nil {
		return nil, err
	}
	m := &metadata{members: members}
	if m.annotations, err = readStringMap("annotations", get(members, "annotations")); err != nil {
		return nil, err
	}
	m.labels, err = readStringMap("labels", get(members, "labels"))
	return m, err
}

// text reads a string; anything but a string is "".
func text(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return string(bytes.ToValidUTF8(s, []byte("\ufffd")))
	}
	return string(s)
}

// reads lists the members that kube-apiserver reads in the answer of a conversion webhook; it restores the others.
var reads = map[string]bool{
	"name": true, "generateName": true, "namespace": true, "uid": true, "labels": true, "annotations": true,
}

// changed tells whether anything of ours was added or removed.
func (m *metadata) changed() bool { return m.annotations.changed || m.labels.changed }

// append writes the object.
func (m *metadata) append(out []byte, trim bool) []byte {
	m.members = replace(m.members, "annotations", m.annotations)
	m.members = replace(m.members, "labels", m.labels)
	out = append(out, '{')
	first := true
	for _, member := range m.members {
		if trim && !reads[member.name] {
			continue
		}
		out = appendMember(out, member.name, member.value, first)
		first = false
	}
	return append(out, '}')
}

func appendMember(out []byte, name string, value []byte, first bool) []byte {
	if !first {
		out = append(out, ',')
	}
	return append(append(append(out, quote(name)...), ':'), value...)
}

// replace puts a changed map in its place; an empty one goes.
func replace(members []member, name string, m *stringMap) []member {
	if !m.changed {
		return members
	}
	i := find(members, name)
	switch {
	case len(m.pairs) == 0 && i >= 0:
		return append(members[:i:i], members[i+1:]...)
	case len(m.pairs) == 0:
		return members
	case i >= 0:
		members[i].value = m.encode()
		return members
	}
	return append(members, member{name, m.encode()})
}
