package kjson

import "iter"

// Members yields the name of each member of the object that comes next; the body of the loop reads
// the value, or skips it. What is no object is a failure. See [Scanner.Err] for how to end.
func (s *Scanner) Members() iter.Seq[string] {
	return func(yield func(name string) bool) {
		for more := s.FirstMember(); more && yield(s.nameOf(s.name)); more = s.NextMember() {
		}
	}
}

// Values yields each member of the object that comes next with its value as it is written.
func (s *Scanner) Values() iter.Seq2[string, []byte] {
	return func(yield func(name string, value []byte) bool) {
		for more := s.FirstMember(); more && yield(s.nameOf(s.name), s.Value()); more = s.NextMember() {
		}
	}
}

// Elements yields the index of each element of the array that comes next; the body of the loop reads it, or skips it.
func (s *Scanner) Elements() iter.Seq[int] {
	return func(yield func(index int) bool) {
		n := 0
		for more := s.FirstElement(); more && yield(n); more = s.NextElement() {
			n++
		}
	}
}

// Value reads any value as it is written. It is nil after a failure.
func (s *Scanner) Value() []byte {
	begin, end := s.Skip()
	if s.failed {
		return nil
	}
	return s.data[begin:end:end]
}

// since is what was read from an index on.
func (s *Scanner) since(begin int) []byte { return s.data[begin:s.pos:s.pos] }

// first is FirstMember of what may be null, which has none. All else is skipped and a problem.
func (s *Scanner) first(problem *error) bool {
	switch {
	case s.Null():
		return false
	case s.Is('{'):
		return s.FirstMember()
	}
	s.Skip()
	*problem = errNoObject
	return false
}

// nameOf is a string that was read, decoded; it shares memory with the text where it can.
func (s *Scanner) nameOf(t Text) string {
	if !t.Escaped && !t.Foreign {
		return View(s.data[t.Begin:t.End])
	}
	return StringOf(s.data[t.Begin-1 : t.End+1])
}
