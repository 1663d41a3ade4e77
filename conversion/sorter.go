package conversion

import (
	"bytes"
	"slices"
)

// sorter puts the members of objects into the order of their names while they are written.
type sorter struct {
	// members are the places where members begin, those of inner objects behind those of outer ones; objects are the
	// places among them where an object's begin.
	members, objects []int
	room             []byte
}

func (s *sorter) begin() { s.objects = append(s.objects, len(s.members)) }

func (s *sorter) member(at int) { s.members = append(s.members, at) }

// end sorts the members of the innermost object. Each is followed by a comma.
func (s *sorter) end(out []byte) {
	last := len(s.objects) - 1
	members := s.members[s.objects[last]:]
	s.members, s.objects = s.members[:s.objects[last]], s.objects[:last]
	// A name ends with a quote, which comes before all that names are made of.
	order := func(a, b int) int { return bytes.Compare(nameAt(out, a), nameAt(out, b)) }
	if slices.IsSortedFunc(members, order) {
		return
	}
	begin := members[0]
	s.room = append(s.room[:0], out[begin:]...)
	ends := append(slices.Clone(members[1:]), len(out))
	places := make([]int, len(members))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return order(members[a], members[b]) })
	rest := out[begin:begin]
	for _, i := range places {
		rest = append(rest, s.room[members[i]-begin:ends[i]-begin]...)
	}
}

// nameAt is the name that begins at a place, up to its colon: none of a type's names has one in it.
func nameAt(out []byte, at int) []byte { return out[at : at+bytes.IndexByte(out[at:], ':')] }
