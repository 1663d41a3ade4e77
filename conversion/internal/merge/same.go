package merge

import (
	"bytes"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Same reports whether a value that is written, which is not absent, says the same to an API server as one that was shown, as far as its
// writer knows.
func Same(s *Shape, was, now []byte) bool {
	if bytes.Equal(was, now) {
		return true
	}
	switch s.nature {
	case object, table:
		if !Is(was, '{') || !Is(now, '{') {
			break
		}
		x, y := MembersOf(was), MembersOf(now)
		for name := range union(x, y) {
			if !sameMember(s.member(name), x.Get(name), y.Get(name)) {
				return false
			}
		}
		return true
	case list:
		if !Is(was, '[') || !Is(now, '[') {
			break
		}
		return sameItems(s.item, ItemsOf(was), ItemsOf(now))
	case quantity:
		var x, y resource.Quantity
		if decode(was, &x) && decode(now, &y) {
			return x.Cmp(y) == 0
		}
	case moment:
		var x, y metav1.Time
		if decode(was, &x) && decode(now, &y) {
			return x.Equal(&y)
		}
	}
	return SameText(was, now)
}

func sameItems(item *Shape, a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Same(item, a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameMember compares two members, which may be absent.
func sameMember(f Field, was, is []byte) bool {
	was, is = f.orEmpty(was), f.orEmpty(is)
	switch {
	case f.nature == object && !f.pointer:
	case f.unset(was) || f.unset(is):
		return f.unset(was) && f.unset(is)
	}
	return Same(f.Shape, was, is)
}

// unknown is a member that no field is for.
var unknown = Field{Shape: &Shape{nature: opaque}, pointer: true}

// member of an object or a table.
func (s *Shape) member(name string) Field {
	if s.nature == table {
		return Field{Shape: s.item, pointer: true, entry: true}
	}
	if f, ok := s.fields[name]; ok {
		return f
	}
	return unknown
}

// Knows tells a field from what came with a later release.
func (s *Shape) Knows(name string) bool {
	_, ok := s.fields[name]
	return ok || s.nature == table
}

// unset reports whether a member says nothing to an API server, which would not write it back.
func (f Field) unset(value []byte) bool {
	if f.entry {
		return value == nil
	}
	return IsNull(value) || (!f.pointer || f.nature == list || f.nature == table) && f.isZero(value)
}

// orEmpty is the value of a member, of an object that is no pointer always one: there is no such object that is not there.
func (f Field) orEmpty(value []byte) []byte {
	if IsNull(value) && f.nature == object && !f.pointer {
		return []byte("{}")
	}
	return value
}

// isZero reports whether a value is the zero of its type.
func (s *Shape) isZero(value []byte) bool {
	switch s.nature {
	case object:
		if !Is(value, '{') {
			return false
		}
		members := MembersOf(value)
		for _, m := range members.List {
			if !s.member(m.Name).unset(m.Value) {
				return false
			}
		}
		return true
	case table:
		return Is(value, '{') && len(MembersOf(value).List) == 0
	case list:
		return Is(value, '[') && len(ItemsOf(value)) == 0
	case scalar:
		switch string(value) {
		case `""`, "false", "0", "-0":
			return true
		}
	}
	return false
}

// Is tells a value by the byte that it begins with, once white space is gone.
func Is(value []byte, begin byte) bool { return len(value) > 0 && value[0] == begin }

func decode(value []byte, into any) bool {
	_, err := kjson.Read(value, into, nil)
	return err == nil
}

// IsNull reports whether a value is absent or null.
func IsNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }

// Sets reports whether a member is a field that says something, if only with an empty list.
func (s *Shape) Sets(m kjson.Member) bool {
	f, ok := s.fields[m.Name]
	return ok && !IsNull(m.Value) && (f.nature != scalar || !f.unset(m.Value))
}
