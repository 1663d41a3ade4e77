package kjson

import (
	"errors"
	"slices"
)

// StringMap is a map of labels or annotations that keeps the order and the bytes of what nobody
// changes. The values of its Pairs are quoted.
type StringMap struct {
	Pairs   []Member
	changed bool
	problem error // with what it was read from
}

// scan reads it as the next value of a text.
func (m *StringMap) scan(s *Scanner, name string) {
	*m = StringMap{Pairs: m.Pairs}
	m.Pairs, _, m.problem = s.collect(m.Pairs, maxPairs, func(string) { s.Skip() })
	if errors.Is(m.problem, errNoObject) {
		m.problem = &DecodeError{Field: name, Why: "must be an object with string values"}
		return
	}
	m.problem = Within(name, m.problem)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if string(p.Value) == "null" { // to an API server the empty text
			p.Value, m.changed = Quote(""), true
		}
		if m.problem == nil && (len(p.Value) == 0 || p.Value[0] != '"') {
			m.problem = &DecodeError{Field: name + "[" + p.Name + "]", Why: "must be a string"}
		}
	}
}

// Get gives the value of a key, decoded.
func (m *StringMap) Get(key string) (string, bool) {
	if i := Find(m.Pairs, key); i >= 0 {
		return StringOf(m.Pairs[i].Value), true
	}
	return "", false
}

// TakeOut gets a value as it is written and deletes its key.
func (m *StringMap) TakeOut(key string) (quoted []byte, ok bool) {
	i := Find(m.Pairs, key)
	if i < 0 {
		return nil, false
	}
	quoted = m.Pairs[i].Value
	m.Pairs, m.changed = slices.Delete(m.Pairs, i, i+1), true
	return quoted, true
}

// Delete a key, if it is there.
func (m *StringMap) Delete(key string) { m.TakeOut(key) }

// Set a value. Of the text nothing is kept.
func (m *StringMap) Set(key, text string) {
	m.Delete(key)
	quoted := make([]byte, 0, len(text)+len(text)/4+2) // it is JSON, so many quotes become two bytes
	m.Pairs = append(m.Pairs, Member{key, AppendQuoted(quoted, text)})
	m.changed = true
}

// Size is the sum that the API server limits for annotations: the bytes of all keys and values.
func (m *StringMap) Size() int {
	n := 0
	for _, p := range m.Pairs {
		n += len(p.Name) + len(StringOf(p.Value))
	}
	return n
}

// AtMost is a number that Size does not exceed, for less work: a byte that is no UTF-8 becomes three.
func (m *StringMap) AtMost() int {
	n := 0
	for _, p := range m.Pairs {
		n += len(p.Name) + 3*len(p.Value)
	}
	return n
}

// appendMember writes the map as a member, unless it is empty.
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
