package conversion

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// metadata is an ObjectMeta as bytes. It is not ours: only annotations and labels of ours are added and removed, all
// else passes through untouched.
type metadata struct {
	members             []member
	annotations, labels stringMap
	noObject            error
}

// problem with metadata that is JSON.
func (m *metadata) problem() error {
	return cmp.Or(m.noObject, m.annotations.problem, m.labels.problem)
}

// readMetadata reads it where it stands for itself.
func (w *workspace) readMetadata(raw []byte, m *metadata) error {
	if len(raw) == 0 {
		return nil
	}
	s := jsonscan.New(raw)
	w.scanMetadata(&s, raw, m)
	if err := atEnd(&s, raw); err != nil {
		return err
	}
	return m.problem()
}

// scanMetadata reads it as the next value of a text.
func (w *workspace) scanMetadata(s *jsonscan.Scanner, in []byte, m *metadata) {
	*m = metadata{}
	var there bool
	there, m.noObject = nextIsObject(s)
	list := memberList{limit: maxMembers}
	for more := there && s.FirstMember(); more; more = s.NextMember() {
		name := nameOf(in, s.Name())
		begin := s.Begin()
		switch name {
		case "annotations":
			w.scanStringMap(s, in, name, &m.annotations)
		case "labels":
			w.scanStringMap(s, in, name, &m.labels)
		default:
			s.Skip()
		}
		end := s.End()
		list.put(member{name, in[begin:end:end]}, &w.members)
	}
	m.members = slices.Clip(list.items)
	if list.tooMany {
		m.noObject = errManyMembers
	}
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
