package kjson

// maxDepth of nested objects and arrays, as in encoding/json and jsontext.
const maxDepth = 10_000

// Scanner walks over one text from its beginning. After a failure it stands still: every call says no.
type Scanner struct {
	data   []byte
	pos    int
	depth  int
	failed bool
	name   Text
}

// New makes a scanner. The text is not copied and must not change while it is read.
func New(data []byte) Scanner { return Scanner{data: data} }

// Failed reports whether the text is not JSON, or was not what the caller asked for.
func (s *Scanner) Failed() bool { return s.failed }

// AtEnd reports whether nothing but white space is left of a text that was read without a failure.
func (s *Scanner) AtEnd() bool { return s.peek() == 0 && s.pos >= len(s.data) && !s.failed }

// peek gives the first byte of the next token, and 0 at the end: no token begins with one.
func (s *Scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		if c := s.data[s.pos]; c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

func (s *Scanner) no() bool {
	s.failed = true
	return false
}

// Null reports whether the next value is null, and reads it if it is.
func (s *Scanner) Null() bool {
	if !s.Is('n') {
		return false
	}
	s.Skip()
	return !s.failed
}

// Begin is the index of the next token.
func (s *Scanner) Begin() int {
	s.peek()
	return s.pos
}

// End is the index behind the last token that was read.
func (s *Scanner) End() int { return s.pos }

// Is reports whether the next value begins with a byte: that of an object, an array or a string.
func (s *Scanner) Is(begin byte) bool { return !s.failed && s.peek() == begin }

// FirstMember enters an object and reads the name of its first member, which [Scanner.Name] then gives. The caller
// reads the value and goes on with NextMember. False means that there is none, or a failure.
func (s *Scanner) FirstMember() bool { return s.enter('{', '}') && s.readName() }

// NextMember reads the name of the next member, or the end of the object.
func (s *Scanner) NextMember() bool { return s.next('}') && s.readName() }

// Name of the member whose value is next.
func (s *Scanner) Name() Text { return s.name }

// FirstElement enters an array. True means that there is an element, which the caller reads.
func (s *Scanner) FirstElement() bool { return s.enter('[', ']') }

// NextElement goes on to the next element, or to the end of the array.
func (s *Scanner) NextElement() bool { return s.next(']') }

func (s *Scanner) enter(begin, end byte) bool {
	if s.failed || s.peek() != begin || s.depth >= maxDepth {
		return s.no()
	}
	s.pos++
	if s.peek() == end {
		s.pos++
		return false
	}
	s.depth++
	return true
}

func (s *Scanner) next(end byte) bool {
	if s.failed {
		return false
	}
	switch s.peek() {
	case ',':
		s.pos++
		return true
	case end:
		s.pos++
		s.depth--
		return false
	}
	return s.no()
}

func (s *Scanner) readName() bool {
	s.name = s.String()
	if s.failed {
		return false
	}
	if s.pos < len(s.data) && s.data[s.pos] == ':' || s.peek() == ':' {
		s.pos++
		return true
	}
	return s.no()
}

// Skip reads any value and reports where it stands: the bytes from begin to end, without the white space around it.
func (s *Scanner) Skip() (begin, end int) {
	if s.failed {
		return s.pos, s.pos
	}
	s.peek()
	begin = s.pos
	if end = skip(s.data, begin, maxDepth-s.depth, false); end < 0 {
		s.no()
		return begin, begin
	}
	s.pos = end
	return begin, end
}
