package conversion

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// stringMap is a map of labels or annotations that keeps the order and the bytes of what is not ours.
type stringMap struct {
	pairs   []member
	changed bool
	problem error // with what it was read from
}

// scanStringMap reads it as the next value of a text.
func (w *workspace) scanStringMap(s *jsonscan.Scanner, in []byte, name string, m *stringMap) {
	*m = stringMap{}
	there, problem := nextIsObject(s)
	if problem != nil {
		m.problem = &DecodeError{Field: name, Why: "must be an object with string values"}
		return
	}
	list := memberList{limit: maxPairs}
	for more := there && s.FirstMember(); more; more = s.NextMember() {
		key := nameOf(in, s.Name())
		begin, end := s.Skip()
		list.put(member{key, in[begin:end:end]}, &w.pairs)
	}
	m.pairs = list.items
	if list.tooMany {
		m.problem = within(name, errManyPairs)
	}
	for i := range m.pairs {
		p := &m.pairs[i]
		if string(p.value) == "null" { // to an API server the empty text
			p.value, m.changed = quote(""), true
		}
		if m.problem == nil && (len(p.value) == 0 || p.value[0] != '"') {
			m.problem = &DecodeError{Field: name + "[" + p.name + "]", Why: "must be a string"}
		}
	}
	n := len(m.pairs)
	for range spare {
		m.pairs = w.pairs.add(m.pairs)
	}
	m.pairs = m.pairs[: n : n+spare]
}

// spare room in a map, for one pair of each step.
const spare = 2

func (m *stringMap) get(key string) (string, bool) {
	for _, p := range m.pairs {
		if p.name == key {
			return text(p.value), true
		}
	}
	return "", false
}

// atMost is a number that size does not exceed, for less work: a byte that is no UTF-8 becomes three.
func (m *stringMap) atMost() int {
	n := 0
	for _, p := range m.pairs {
		n += len(p.name) + 3*len(p.value)
	}
	return n
}

// takeOut gets a value as it is written and deletes its key.
func (m *stringMap) takeOut(key string) (quoted []byte, ok bool) {
	for i, p := range m.pairs {
		if p.name == key {
			m.pairs, m.changed = slices.Delete(m.pairs, i, i+1), true
			return p.value, true
		}
	}
	return nil, false
}

func (m *stringMap) delete(key string) { m.takeOut(key) }

func (m *stringMap) deleteFunc(drop func(key string) bool) {
	before := len(m.pairs)
	m.pairs = slices.DeleteFunc(m.pairs, func(p member) bool { return drop(p.name) })
	m.changed = m.changed || len(m.pairs) < before
}

// set a value, which is quoted.
func (m *stringMap) set(key string, quoted []byte) {
	m.delete(key)
	m.pairs = append(m.pairs, member{key, quoted})
	m.changed = true
}

// quote writes a string as JSON; invalid UTF-8 becomes U+FFFD.
func quote(s string) []byte { return jsonscan.AppendQuoted(nil, s) }

// size is the sum that the API server limits for annotations: the bytes of all keys and values.
func (m *stringMap) size() int {
	n := 0
	for _, p := range m.pairs {
		n += len(p.name) + len(text(p.value))
	}
	return n
}

// appendMember writes the map as a member, unless it is empty.
func (m *stringMap) appendMember(out []byte, name string) []byte {
	if len(m.pairs) == 0 {
		return out
	}
	out = append(appendName(out, name), '{')
	for _, p := range m.pairs {
		out = append(appendName(out, p.name), p.value...)
	}
	return append(out, '}')
}
