package objectjson

import "iter"

// Members yields the name of each member of the next value, which must be an object. The body of the loop reads the
// value or skips it. [Scanner.Err] reports whether the object was read to its end.
func (s *Scanner) Members() iter.Seq[string] {
	return func(yield func(name string) bool) {
		for more := s.FirstMember(); more && yield(s.decodeString(s.name)); more = s.NextMember() {
		}
	}
}

// Values yields each member of the next value, which must be an object, with its text.
func (s *Scanner) Values() iter.Seq2[string, []byte] {
	return func(yield func(name string, value []byte) bool) {
		for more := s.FirstMember(); more && yield(s.decodeString(s.name), s.Value()); more = s.NextMember() {
		}
	}
}

// Elements yields the index of each element of the next value, which must be an array. The body of the loop reads the
// element or skips it.
func (s *Scanner) Elements() iter.Seq[int] {
	return func(yield func(index int) bool) {
		n := 0
		for more := s.FirstElement(); more && yield(n); more = s.NextElement() {
			n++
		}
	}
}

// Value reads any value and returns its text, or nil after a failure.
func (s *Scanner) Value() []byte {
	begin, end := s.Skip()
	if s.failed {
		return nil
	}
	return s.data[begin:end:end]
}

// textFrom returns what was read from an index on.
func (s *Scanner) textFrom(begin int) []byte { return s.data[begin:s.pos:s.pos] }

// firstMember is FirstMember, but null has no members, and it skips any other value and returns an error.
func (s *Scanner) firstMember() (bool, error) {
	switch {
	case s.ReadNull():
		return false, nil
	case s.Is('{'):
		return s.FirstMember(), nil
	}
	s.Skip()
	return false, errNotObject
}

// decodeString returns the content of a string.
func (s *Scanner) decodeString(t StringSpan) string {
	if !t.HasEscapes && !t.HasNonASCII {
		return string(s.data[t.Begin:t.End])
	}
	return StringOf(s.data[t.Begin-1 : t.End+1])
}
