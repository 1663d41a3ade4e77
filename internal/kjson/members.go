package kjson

import (
	"fmt"
	"strings"
)

// Member of a JSON object: its name decoded, its value as it was written.
type Member struct {
	Name  string
	Value []byte
}

// Members lists the members of a JSON object in their order. Of duplicates the last one counts; the
// paths of duplicates are returned. An absent object and null have no members. All shares memory
// with the object, which must not change any more.
func Members(object []byte) (members []Member, duplicates []string, err error) {
	if len(object) == 0 {
		return nil, nil, nil
	}
	s := New(object)
	members, duplicates, problem := s.collect(nil, MaxMembers, func(string) { s.Skip() })
	if err := s.Err(); err != nil {
		return nil, nil, err
	}
	return members, duplicates, problem
}

// Find gives the index of a member, or -1.
func Find(members []Member, name string) int {
	for i := range members {
		if members[i].Name == name {
			return i
		}
	}
	return -1
}

// Get gives the value of a member, or nil.
func Get(members []Member, name string) []byte {
	if i := Find(members, name); i >= 0 {
		return members[i].Value
	}
	return nil
}

// AppendName writes the name of a member with its colon, and a comma before it unless it is the first.
func AppendName(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(AppendQuoted(out, name), ':')
}

// collect the members of the object that comes next, at most so many; a function reads their
// values. Of duplicates, which have the same limit, the last one counts, in the position of the
// first. They are listed in a list that is used again, if there is one.
func (s *Scanner) collect(again []Member, limit int,
	read func(name string),
) (members []Member, duplicates []string, problem error) {
	list, tooMany := MemberList{Items: again[:0]}, false
	for more := s.first(&problem); more; more = s.NextMember() {
		name, begin := s.nameOf(s.name), s.Begin()
		read(name)
		switch {
		case tooMany:
		case list.put(Member{name, s.since(begin)}):
			duplicates = append(duplicates, strings.Clone(name))
			tooMany = len(duplicates) > limit
		default:
			tooMany = len(list.Items) > limit
		}
	}
	if tooMany {
		problem = &DecodeError{Why: fmt.Sprintf("has more than %d members", limit)}
	}
	return list.Items, duplicates, problem
}

// emptied is a list to be used again, unless it is long. It holds on to no text.
func emptied(list []Member) []Member {
	if cap(list) > 2*fewMembers {
		return nil
	}
	clear(list)
	return list[:0]
}
