package merge

import (
	"iter"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Members of an object in their order. Of those with one name the last counts, as with an API server.
type Members struct {
	List []kjson.Member
	// index of names where there are many.
	index map[string]int
}

// few are looked through one by one.
const few = 16

// MembersOf an object, which is JSON and begins with a brace.
func MembersOf(object []byte) (m Members) {
	s := kjson.New(object)
	for name, value := range s.Values() {
		if i := m.find(name); i >= 0 {
			m.List[i].Value = value
			continue
		}
		m.List = append(m.List, kjson.Member{Name: name, Value: value})
		if m.index != nil {
			m.index[name] = len(m.List) - 1
		} else if len(m.List) > few {
			m.index = map[string]int{}
			for i := range m.List {
				m.index[m.List[i].Name] = i
			}
		}
	}
	return m
}

func (m *Members) find(name string) int {
	if m.index == nil {
		return kjson.Find(m.List, name)
	}
	if i, ok := m.index[name]; ok {
		return i
	}
	return -1
}

// Get the value of a member, nil when it is absent.
func (m *Members) Get(name string) []byte {
	if i := m.find(name); i >= 0 {
		return m.List[i].Value
	}
	return nil
}

// PartsOf a value that may be absent or null: then it has none.
func PartsOf(value []byte) Members {
	if !Is(value, '{') {
		return Members{}
	}
	return MembersOf(value)
}

// union of the names of two objects, those of the first one first.
func union(a, b Members) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range a.List {
			if !yield(m.Name) {
				return
			}
		}
		for _, m := range b.List {
			if a.find(m.Name) < 0 && !yield(m.Name) {
				return
			}
		}
	}
}

// ItemsOf a list, which is JSON.
func ItemsOf(value []byte) (items [][]byte) {
	if !Is(value, '[') {
		return nil
	}
	s := kjson.New(value)
	for range s.Elements() {
		items = append(items, s.Value())
	}
	return items
}
