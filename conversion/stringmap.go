package conversion

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
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

func readStringMap(name string, raw []byte) (*stringMap, error) {
	members, _, err := membersOf(raw)
	if err != nil {
		return nil, &DecodeError{Field: name, Why: "must be an object with string values"}
	}
	m := &stringMap{pairs: make([]pair, 0, len(members)+1)}
	for _, member := range members {
		if string(member.value) == "null" { // to an API server the empty text
			member.value, m.changed = quote(""), true
		}
		if len(member.value) == 0 || member.value[0] != '"' {
			return nil, &DecodeError{Field: name + "[" + member.name + "]", Why: "must be a string"}
		}
		m.pairs = append(m.pairs, pair{member.name, member.value})
	}
	return m, nil
}

func (m *stringMap) get(key string) (string, bool) {
	for _, p := range m.pairs {
		if p.key == key {
			return text(p.value), true
		}
	}
	return "", false
}

func (m *stringMap) delete(key string) {
	m.deleteFunc(func(k string) bool { return k == key })
}

func (m *stringMap) deleteFunc(drop func(key string) bool) {
	before := len(m.pairs)
	m.pairs = slices.DeleteFunc(m.pairs, func(p pair) bool { return drop(p.key) })
	m.changed = m.changed || len(m.pairs) < before
}

func (m *stringMap) set(key, value string) {
	m.delete(key)
	m.pairs = append(m.pairs, pair{key, quote(value)})
	m.changed = true
}

// quote writes a string as JSON; invalid UTF-8 becomes U+FFFD.
func quote(s string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, s)
	return quoted
}

// size is the sum that the API server limits for annotations: the bytes of all keys and values.
func (m *stringMap) size() int {
	n := 0
	for _, p := range m.pairs {
		n += len(p.key) + len(text(p.value))
	}
	return n
}

func (m *stringMap) encode() []byte {
	out := []byte{'{'}
	for i, p := range m.pairs {
		out = appendMember(out, p.key, p.value, i == 0)
	}
	return append(out, '}')
}
