package merge

import (
	"bytes"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Same reports whether a value that is written, which is not absent, says the same to an API server
// as one that was shown, as far as its writer knows.
func Same(s *Shape, was, now []byte) bool {
	if bytes.Equal(was, now) {
		return true
	}
	switch s.nature {
	case object, table:
		x, y := kjson.ListMembers(was), kjson.ListMembers(now)
		for name := range union(x, y) {
			if !sameMember(s.member(name), x.Get(name), y.Get(name)) {
				return false
			}
		}
		return true
	case list:
		return sameItems(s.item, kjson.Items(was), kjson.Items(now))
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

// unset reports whether a member says nothing to an API server, which would not write it back.
func (f Field) unset(value []byte) bool {
	if f.entry {
		return value == nil
	}
	return kjson.IsNull(value) || (!f.pointer || f.nature == list || f.nature == table) && f.isZero(value)
}

// orEmpty is the value of a member, of an object that is no pointer always one: there is no such
// object that is not there.
func (f Field) orEmpty(value []byte) []byte {
	if kjson.IsNull(value) && f.nature == object && !f.pointer {
		return []byte("{}")
	}
	return value
}

// isKeyedList reports whether items of a list are merged one by one.
func (f Field) isKeyedList() bool { return f.nature == list && len(f.keys) > 0 && !f.whole }

// orEmptyList returns a list, and an empty one for an unset list: both have no items, but live may
// have items that are not visible.
func (f Field) orEmptyList(value []byte) []byte {
	if f.unset(value) {
		return []byte("[]")
	}
	return value
}

// isZero reports whether a value is the zero of its type, which is no object.
func (s *Shape) isZero(value []byte) bool {
	switch s.nature {
	case table:
		return kjson.Begins(value, '{') && len(kjson.ListMembers(value).Items) == 0
	case list:
		return kjson.Begins(value, '[') && len(kjson.Items(value)) == 0
	case scalar:
		switch string(value) {
		case `""`, "false", "0", "-0":
			return true
		}
	}
	return false
}

func decode(value []byte, into any) bool {
	_, err := kjson.Read(value, into, nil)
	return err == nil
}
