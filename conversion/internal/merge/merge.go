// Package merge puts what a write changes into what is stored.
package merge

import (
	"iter"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// A write is merged into the stored object as text. There are three objects of v1: the live one,
// what the version shows of it (was), and what was written (is), both as they come up again. Member
// by member, and item by item where items have keys:
//
//   - where was and is say the same, the live text stays, and also what is in neither of them, which
//     the version cannot say;
//   - else what was written counts.
//
// All is decided below each member by itself, so no part depends on the order of others.

// Merge appends the live value with what was changed. No value is absent or null, each was read as
// one of its type, and was and is are not the same.
func Merge(out []byte, s *Shape, live, was, is []byte) []byte {
	switch s.nature {
	case list:
		return mergeItems(out, s, live, was, is)
	case object:
		return mergeMembers(out, s, kjson.ListMembers(live), kjson.ListMembers(was), kjson.ListMembers(is))
	}
	return append(out, is...)
}

// mergeMembers writes the live members in their order, and then those that are new.
func mergeMembers(out []byte, s *Shape, live, was, is kjson.MemberList) []byte {
	out = append(out, '{')
	for name := range union(live, is) {
		f, l, w, i := s.member(name), live.Get(name), was.Get(name), is.Get(name)
		switch {
		case sameMember(f, w, i):
			if l != nil {
				out = append(kjson.AppendName(out, name), l...)
			}
		case f.isKeyedList():
			merged := mergeItems(nil, f.Shape, f.orEmptyList(l), f.orEmptyList(w), f.orEmptyList(i))
			if !f.isZero(merged) {
				out = append(kjson.AppendName(out, name), merged...)
			}
		case f.unset(i): // gone
		case f.whole || f.unset(l) || f.unset(w):
			out = append(kjson.AppendName(out, name), i...)
		default:
			out = Merge(kjson.AppendName(out, name), f.Shape, l, w, i)
		}
	}
	return append(out, '}')
}

// union of the names of two objects, those of the first one first.
func union(a, b kjson.MemberList) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range a.Items {
			if !yield(m.Name) {
				return
			}
		}
		for _, m := range b.Items {
			if a.Get(m.Name) == nil && !yield(m.Name) {
				return
			}
		}
	}
}
