package kjson

// MemberList is the members of an object in their order. Of those with one name the last counts, in
// the place of the first, as with an API server.
type MemberList struct {
	Items []Member
	// index of names where there are many.
	index map[string]int
}

// fewMembers are looked through one by one.
const fewMembers = 32

// ListMembers of a value that is JSON without white space around it. What is no object has none.
// There is no bound: the list takes some times the memory of the text.
func ListMembers(value []byte) (l MemberList) {
	if Begins(value, '{') {
		s := New(value)
		for name, value := range s.Values() {
			l.put(Member{name, value})
		}
	}
	return l
}

// Get the value of a member, nil when it is absent.
func (l *MemberList) Get(name string) []byte {
	if i := l.find(name); i >= 0 {
		return l.Items[i].Value
	}
	return nil
}

func (l *MemberList) find(name string) int {
	if l.index == nil {
		return Find(l.Items, name)
	}
	if i, ok := l.index[name]; ok {
		return i
	}
	return -1
}

// put adds a member, and reports whether it was there.
func (l *MemberList) put(m Member) (twice bool) {
	if i := l.find(m.Name); i >= 0 {
		l.Items[i] = m
		return true
	}
	if l.Items == nil {
		l.Items = make([]Member, 0, 8)
	}
	l.Items = append(l.Items, m)
	switch {
	case l.index != nil:
		l.index[m.Name] = len(l.Items) - 1
	case len(l.Items) >= fewMembers:
		l.index = map[string]int{}
		for i := range l.Items {
			l.index[l.Items[i].Name] = i
		}
	}
	return false
}

// Items of a value that is JSON without white space around it. What is no list has none.
func Items(value []byte) (items [][]byte) {
	if Begins(value, '[') {
		s := New(value)
		for range s.Elements() {
			items = append(items, s.Value())
		}
	}
	return items
}

// Begins tells a value by its first byte, once white space is gone.
func Begins(value []byte, with byte) bool { return len(value) > 0 && value[0] == with }

// IsNull reports whether a value is absent or null.
func IsNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }
