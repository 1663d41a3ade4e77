package objectjson

import (
	"fmt"
	"strings"
)

// Member is a member of a JSON object: its decoded name and the text of its value.
type Member struct {
	Name  string
	Value []byte
}

// Members returns the members of a JSON object in their order. Of duplicates the last value counts. It also returns the
// names of duplicates. An absent object and null have no members. The members share memory with the object, which must
// not change.
func Members(object []byte) (members []Member, duplicates []string, err error) {
	if len(object) == 0 {
		return nil, nil, nil
	}
	s := NewScanner(object)
	members, duplicates, problem := s.readMembers(MaxMembers, func(string) { s.Skip() })
	if err := s.Err(); err != nil {
		return nil, nil, err
	}
	return members, duplicates, problem
}

// Find returns the index of a member, or -1.
func Find(members []Member, name string) int {
	for i := range members {
		if members[i].Name == name {
			return i
		}
	}
	return -1
}

// Get returns the value of a member, or nil.
func Get(members []Member, name string) []byte {
	if i := Find(members, name); i >= 0 {
		return members[i].Value
	}
	return nil
}

// AppendName appends the name of a member with its colon, and a comma before it unless it is the first member.
func AppendName(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(AppendQuoted(out, name), ':')
}

// readMembers reads the next value, which must be an object or null, with at most limit members. A function reads their
// values. Of duplicates, which have the same limit, the last value counts, in the position of the first.
func (s *Scanner) readMembers(limit int, readValue func(name string)) ([]Member, []string, error) {
	var list MemberList
	var duplicates []string
	isTooLong := false
	more, problem := s.firstMember()
	for ; more; more = s.NextMember() {
		name, begin := s.decodeString(s.name), s.Begin()
		readValue(name)
		switch {
		case isTooLong:
		case list.set(Member{name, s.textFrom(begin)}):
			duplicates = append(duplicates, strings.Clone(name))
			isTooLong = len(duplicates) > limit
		default:
			isTooLong = len(list.Items) > limit
		}
	}
	if isTooLong {
		problem = &FieldError{Reason: fmt.Sprintf("has more than %d members", limit)}
	}
	return list.Items, duplicates, problem
}
