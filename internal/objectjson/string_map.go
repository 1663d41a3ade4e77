package objectjson

import (
	"errors"
	"slices"
)

// StringMap is a map of labels or annotations. Pairs that do not change keep their order and their text. The values of
// the pairs are quoted.
type StringMap struct {
	Pairs     []Member
	isChanged bool
	// problem is why the text was not a map of strings.
	problem error
}

// readStringMap reads the next value, which must be an object with string values or null.
func (s *Scanner) readStringMap(name string) (m StringMap) {
	m.Pairs, _, m.problem = s.readMembers(maxPairs, func(string) { s.Skip() })
	if errors.Is(m.problem, errNotObject) {
		m.problem = &FieldError{Field: name, Reason: "must be an object with string values"}
		return m
	}
	m.problem = AtPath(name, m.problem)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if string(p.Value) == "null" { // an API server reads it as ""
			p.Value = Quote("")
			m.isChanged = true
		}
		if m.problem == nil && !StartsWith(p.Value, '"') {
			m.problem = &FieldError{Field: name + "[" + p.Name + "]", Reason: "must be a string"}
		}
	}
	return m
}

// Get returns the decoded value of a key.
func (m *StringMap) Get(key string) (value string, found bool) {
	if i := Find(m.Pairs, key); i >= 0 {
		return StringOf(m.Pairs[i].Value), true
	}
	return "", false
}

// Remove removes a key and returns its quoted value.
func (m *StringMap) Remove(key string) (quoted []byte, found bool) {
	i := Find(m.Pairs, key)
	if i < 0 {
		return nil, false
	}
	quoted = m.Pairs[i].Value
	m.Pairs = slices.Delete(m.Pairs, i, i+1)
	m.isChanged = true
	return quoted, true
}

// Delete removes a key, if the map has it.
func (m *StringMap) Delete(key string) { m.Remove(key) }

// Set sets the value of a key. The pair becomes the last one.
func (m *StringMap) Set(key, value string) {
	m.Delete(key)
	quoted := make([]byte, 0, len(value)+len(value)/4+2) // values are JSON, in which each quote becomes two bytes
	m.Pairs = append(m.Pairs, Member{key, AppendQuoted(quoted, value)})
	m.isChanged = true
}

// Size returns the number of bytes of all keys and values, which an API server limits for annotations.
func (m *StringMap) Size() int {
	n := 0
	for _, p := range m.Pairs {
		n += len(p.Name) + len(StringOf(p.Value))
	}
	return n
}

// SizeUpperBound returns a number that Size does not exceed, without decoding the values. A byte that is not UTF-8 is
// decoded to three bytes.
func (m *StringMap) SizeUpperBound() int {
	n := 0
	for _, p := range m.Pairs {
		n += len(p.Name) + 3*len(p.Value)
	}
	return n
}

// appendMember appends the map as a member, unless it is empty.
func (m *StringMap) appendMember(out []byte, name string) []byte {
	if len(m.Pairs) == 0 {
		return out
	}
	out = append(AppendName(out, name), '{')
	for _, p := range m.Pairs {
		out = append(AppendName(out, p.Name), p.Value...)
	}
	return append(out, '}')
}
