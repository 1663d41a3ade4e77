package objectjson

import (
	"cmp"
	"slices"
)

// Metadata is an ObjectMeta. Labels and annotations can be added and removed. All other members keep their text.
type Metadata struct {
	Members             []Member
	Annotations, Labels StringMap
	// problem is why the text was not an object.
	problem error
}

// ReadMetadata reads metadata from a separate text, such as that of a template.
func ReadMetadata(text []byte) (Metadata, error) {
	if len(text) == 0 {
		return Metadata{}, nil
	}
	s := NewScanner(text)
	m := s.readMetadata()
	return m, cmp.Or(s.Err(), m.err())
}

// Clone returns a copy whose labels and annotations can be changed.
func (m Metadata) Clone() Metadata {
	m.Annotations.Pairs = slices.Clone(m.Annotations.Pairs)
	m.Labels.Pairs = slices.Clone(m.Labels.Pairs)
	return m
}

// readMetadata reads the next value.
func (s *Scanner) readMetadata() (m Metadata) {
	m.Members, _, m.problem = s.readMembers(MaxMembers, func(name string) {
		switch name {
		case "annotations":
			m.Annotations = s.readStringMap(name)
		case "labels":
			m.Labels = s.readStringMap(name)
		default:
			s.Skip()
		}
	})
	return m
}

func (m *Metadata) err() error { return cmp.Or(m.problem, m.Annotations.problem, m.Labels.problem) }

// readByServer has the members that kube-apiserver reads in the response of a conversion webhook, and generateName, by
// which errors name an object without a name. kube-apiserver restores all others.
var readByServer = []string{"name", "generateName", "namespace", "uid", "labels", "annotations"}

// IsChanged reports whether a label or an annotation was added or removed.
func (m *Metadata) IsChanged() bool { return m.Annotations.isChanged || m.Labels.isChanged }

// Append appends the metadata as JSON. If trim is set, it omits what kube-apiserver does not read in the response of a
// conversion webhook.
func (m *Metadata) Append(out []byte, trim bool) []byte {
	out = append(out, '{')
	for _, member := range m.Members {
		switch {
		case trim && !slices.Contains(readByServer, member.Name):
		case member.Name == "annotations" && m.Annotations.isChanged:
			out = m.Annotations.appendMember(out, member.Name)
		case member.Name == "labels" && m.Labels.isChanged:
			out = m.Labels.appendMember(out, member.Name)
		default:
			out = append(AppendName(out, member.Name), member.Value...)
		}
	}
	if m.Annotations.isChanged && Find(m.Members, "annotations") < 0 {
		out = m.Annotations.appendMember(out, "annotations")
	}
	if m.Labels.isChanged && Find(m.Members, "labels") < 0 {
		out = m.Labels.appendMember(out, "labels")
	}
	return append(out, '}')
}
