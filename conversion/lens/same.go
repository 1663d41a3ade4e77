package lens

import (
	"bytes"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// same reports whether a value that is written, which is not absent, says the same to an API server as one that was shown, as far as the
// write reaches and its writer knows.
func same(s *shape, was, now []byte) bool {
	if bytes.Equal(was, now) {
		return true
	}
	switch s.nature {
	case object, table:
		if !is(was, '{') || !is(now, '{') {
			break
		}
		x, y := membersOf(was), membersOf(now)
		for name := range union(x, y) {
			if !sameMember(s.member(name), x.get(name), y.get(name)) {
				return false
			}
		}
		return true
	case list:
		if !is(was, '[') || !is(now, '[') {
			break
		}
		return sameItems(s.item, itemsOf(was), itemsOf(now))
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
	return sameText(was, now)
}

func sameItems(item *shape, a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(item, a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameMember compares two members, which may be absent.
func sameMember(f fieldOf, was, is []byte) bool {
	was, is = f.orEmpty(was), f.orEmpty(is)
	switch {
	case f.reach == closed || f.later && is == nil:
		return true
	case f.reach == kept && f.leftOut(is):
		return true
	case f.nature == object && !f.pointer:
	case f.unset(was) || f.unset(is):
		return f.unset(was) && f.unset(is)
	}
	return same(f.shape, was, is)
}

// unknown is a member that came with a later release than this package.
var unknown = fieldOf{shape: &shape{nature: opaque}, pointer: true, later: true}

// member of an object or a table.
func (s *shape) member(name string) fieldOf {
	if s.nature == table {
		return fieldOf{shape: s.item, pointer: true, entry: true}
	}
	if f, ok := s.fields[name]; ok {
		return f
	}
	return unknown
}

// knows tells a field from what came with a later release.
func (s *shape) knows(name string) bool {
	_, ok := s.fields[name]
	return ok || s.nature == table
}

// unset reports whether a member says nothing to an API server, which would not write it back.
func (f fieldOf) unset(value []byte) bool {
	if f.entry {
		return value == nil
	}
	return isNull(value) || (!f.pointer || f.nature == list || f.nature == table) && f.isZero(value)
}

// leftOut reports whether a write says nothing of a member. A list that is kept when it is left out, which is managedFields, is emptied by
// an empty one.
func (f fieldOf) leftOut(value []byte) bool {
	if f.reach == kept && f.nature == list {
		return isNull(value)
	}
	return f.unset(value)
}

// orEmpty is the value of a member, of an object that is no pointer always one: there is no such object that is not there, and it may
// hold what a client does not know.
func (f fieldOf) orEmpty(value []byte) []byte {
	if isNull(value) && f.nature == object && !f.pointer {
		return []byte("{}")
	}
	return value
}

// isZero reports whether a value is the zero of its type.
func (s *shape) isZero(value []byte) bool {
	switch s.nature {
	case object:
		if !is(value, '{') {
			return false
		}
		members := membersOf(value)
		for _, m := range members.list {
			if !s.member(m.Name).unset(m.Value) {
				return false
			}
		}
		return true
	case table:
		return is(value, '{') && len(membersOf(value).list) == 0
	case list:
		return is(value, '[') && len(itemsOf(value)) == 0
	case scalar:
		switch string(value) {
		case `""`, "false", "0", "-0":
			return true
		}
	}
	return false
}

func is(value []byte, begin byte) bool { return len(value) > 0 && value[0] == begin }

func decode(value []byte, into any) bool {
	_, err := kjson.Decode(value, into)
	return err == nil
}
