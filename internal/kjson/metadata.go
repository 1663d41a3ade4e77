package kjson

import (
	"cmp"
	"slices"
)

// Metadata is an ObjectMeta as bytes: labels and annotations can be added and removed, all else
// passes through untouched.
type Metadata struct {
	Members             []Member
	Annotations, Labels StringMap
	noObject            error
}

// problem with metadata that is JSON.
func (m *Metadata) problem() error {
	return cmp.Or(m.noObject, m.Annotations.problem, m.Labels.problem)
}

// ReadMetadata reads it where it stands for itself, such as a template's.
func ReadMetadata(raw []byte, m *Metadata) error {
	m.Forget()
	if len(raw) == 0 {
		return nil
	}
	s := New(raw)
	m.scan(&s)
	if err := s.Err(); err != nil {
		return err
	}
	return m.problem()
}

// scan reads it as the next value of a text.
func (m *Metadata) scan(s *Scanner) {
	m.Forget()
	m.Members, _, m.noObject = s.collect(m.Members, MaxMembers, func(name string) {
		switch name {
		case "annotations":
			m.Annotations.scan(s, name)
		case "labels":
			m.Labels.scan(s, name)
		default:
			s.Skip()
		}
	})
}

// Forget all but the memory of its lists.
func (m *Metadata) Forget() {
	*m = Metadata{
		Members:     emptied(m.Members),
		Annotations: StringMap{Pairs: emptied(m.Annotations.Pairs)},
		Labels:      StringMap{Pairs: emptied(m.Labels.Pairs)},
	}
}

// read are the members that kube-apiserver reads in the answer of a conversion webhook; it restores the others.
var read = []string{"name", "generateName", "namespace", "uid", "labels", "annotations"}

// Changed reports whether a label or an annotation was added or removed.
func (m *Metadata) Changed() bool { return m.Annotations.changed || m.Labels.changed }

// Append writes the object. Trimmed, it has only what kube-apiserver reads in the answer of a conversion webhook.
func (m *Metadata) Append(out []byte, trim bool) []byte {
	out = append(out, '{')
	for _, member := range m.Members {
		switch {
		case trim && !slices.Contains(read, member.Name):
		case member.Name == "annotations" && m.Annotations.changed:
			out = m.Annotations.appendMember(out, member.Name)
		case member.Name == "labels" && m.Labels.changed:
			out = m.Labels.appendMember(out, member.Name)
		default:
			out = append(AppendName(out, member.Name), member.Value...)
		}
	}
	if m.Annotations.changed && Find(m.Members, "annotations") < 0 {
		out = m.Annotations.appendMember(out, "annotations")
	}
	if m.Labels.changed && Find(m.Members, "labels") < 0 {
		out = m.Labels.appendMember(out, "labels")
	}
	return append(out, '}')
}
