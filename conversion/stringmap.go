package conversion

import (
	"slices"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// stringMap is a map of labels or annotations that keeps the order and the bytes of what is not ours.
type stringMap struct {
	pairs   []pair
	changed bool
}

// pair of a key, and a value as it was written.
type pair struct {
	key   string
	value []byte
}

func (w *workspace) readStringMap(name string, raw []byte, m *stringMap) error {
	members, _, err := readMembers(raw, &w.members)
	if err != nil {
		return &DecodeError{Field: name, Why: "must be an object with string values"}
	}
	for _, member := range members {
		if string(member.value) == "null" { // to an API server the empty text
			member.value, m.changed = quote(""), true
		}
		if len(member.value) == 0 || member.value[0] != '"' {
			return &DecodeError{Field: name + "[" + member.name + "]", Why: "must be a string"}
		}
		m.pairs = w.pairs.add(m.pairs)
		m.pairs[len(m.pairs)-1] = pair{member.name, member.value}
	}
	n := len(m.pairs)
	for range spare {
		m.pairs = w.pairs.add(m.pairs)
	}
	m.pairs = m.pairs[: n : n+spare]
	return nil
}

// spare room in a map, for one pair of each step.
const spare = 2

func (m *stringMap) get(key string) (string, bool) {
	for _, p := range m.pairs {
		if p.key == key {
			return text(p.value), true
		}
	}
	return "", false
}

// atMost is a number that size does not exceed, for less work: a byte that is no UTF-8 becomes three.
func (m *stringMap) atMost() int {
	n := 0
	for _, p := range m.pairs {
		n += len(p.key) + 3*len(p.value)
	}
	return n
}

// takeOut gets a value as it is written and deletes its key.
func (m *stringMap) takeOut(key string) (quoted []byte, ok bool) {
	for i, p := range m.pairs {
		if p.key == key {
			m.pairs, m.changed = slices.Delete(m.pairs, i, i+1), true
			return p.value, true
		}
	}
	return nil, false
}

func (m *stringMap) delete(key string) { m.takeOut(key) }

func (m *stringMap) deleteFunc(drop func(key string) bool) {
	before := len(m.pairs)
	m.pairs = slices.DeleteFunc(m.pairs, func(p pair) bool { return drop(p.key) })
	m.changed = m.changed || len(m.pairs) < before
}

// set a value, which is quoted.
func (m *stringMap) set(key string, quoted []byte) {
	m.delete(key)
	m.pairs = append(m.pairs, pair{key, quoted})
	m.changed = true
}

// quote writes a string as JSON; invalid UTF-8 becomes U+FFFD.
func quote(s string) []byte { return jsonscan.AppendQuoted(nil, s) }

// size is the sum that the API server limits for annotations: the bytes of all keys and values.
func (m *stringMap) size() int {
	n := 0
	for _, p := range m.pairs {
		n += len(p.key) + len(text(p.value))
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
		out = append(appendName(out, p.key), p.value...)
	}
	return append(out, '}')
}
