package lens

import (
	"iter"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// members of an object in their order. Of those with one name the last counts, as with an API server.
type members struct {
	list []kjson.Member
	// index of names where there are many.
	index map[string]int
}

// few are looked through one by one.
const few = 16

// membersOf an object, which is JSON and begins with a brace.
func membersOf(object []byte) (m members) {
	s := kjson.New(object)
	for name, value := range s.Values() {
		if i := m.find(name); i >= 0 {
			m.list[i].Value = value
			continue
		}
		m.list = append(m.list, kjson.Member{Name: name, Value: value})
		if m.index != nil {
			m.index[name] = len(m.list) - 1
		} else if len(m.list) > few {
			m.index = map[string]int{}
			for i := range m.list {
				m.index[m.list[i].Name] = i
			}
		}
	}
	return m
}

func (m *members) find(name string) int {
	if m.index == nil {
		return kjson.Find(m.list, name)
	}
	if i, ok := m.index[name]; ok {
		return i
	}
	return -1
}

// get the value of a member, nil when it is absent.
func (m *members) get(name string) []byte {
	if i := m.find(name); i >= 0 {
		return m.list[i].Value
	}
	return nil
}

// of a value that may be absent or null: then it has none.
func partsOf(value []byte) members {
	if !is(value, '{') {
		return members{}
	}
	return membersOf(value)
}

// union of the names of two objects, those of the first one first.
func union(a, b members) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range a.list {
			if !yield(m.Name) {
				return
			}
		}
		for _, m := range b.list {
			if a.find(m.Name) < 0 && !yield(m.Name) {
				return
			}
		}
	}
}

// itemsOf a list, which is JSON.
func itemsOf(value []byte) (items [][]byte) {
	if !is(value, '[') {
		return nil
	}
	s := kjson.New(value)
	for range s.Elements() {
		items = append(items, s.Value())
	}
	return items
}
