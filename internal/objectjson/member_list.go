package objectjson

// MemberList has the members of an object in their order. Of duplicates the last value counts, in the position of the
// first, as with an API server.
type MemberList struct {
	Items []Member
	// index of the items by name. It is nil for few members.
	index map[string]int
}

// fewMembers is the number of members from which a list has an index.
const fewMembers = 32

// ListMembers returns the members of a value, which must be JSON without white space around it. It returns none if the
// value is not an object. The number of members is not limited: the list takes a few times the memory of the text.
func ListMembers(value []byte) (l MemberList) {
	if StartsWith(value, '{') {
		s := NewScanner(value)
		for name, value := range s.Values() {
			l.set(Member{name, value})
		}
	}
	return l
}

// Get returns the value of a member, or nil if it is absent.
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

// set adds a member or replaces the one of its name. It reports whether there was one.
func (l *MemberList) set(m Member) (isDuplicate bool) {
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

// Items returns the items of a value, which must be JSON without white space around it. It returns none if the value is
// not an array.
func Items(value []byte) (items [][]byte) {
	if StartsWith(value, '[') {
		s := NewScanner(value)
		for range s.Elements() {
			items = append(items, s.Value())
		}
	}
	return items
}

// StartsWith reports whether a value starts with a byte, which determines its kind.
func StartsWith(value []byte, first byte) bool { return len(value) > 0 && value[0] == first }

// IsAbsentOrNull reports whether a value is absent or null.
func IsAbsentOrNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }
