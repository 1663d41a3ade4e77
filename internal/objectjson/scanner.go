package objectjson

import "bytes"

// maxDepth of nested objects and arrays, as in encoding/json and jsontext.
const maxDepth = 10_000

// Scanner reads one text from its beginning without decoding it. It fails if the text is not JSON, or if the next value
// is not of the kind that the caller asks for. After a failure it does not move, and every method returns false or
// nothing.
type Scanner struct {
	data   []byte
	pos    int
	depth  int
	failed bool
	name   StringSpan
}

// NewScanner returns a scanner of a text, which must not change while it is read.
func NewScanner(data []byte) Scanner { return Scanner{data: data} }

// Failed reports whether the scanner failed.
func (s *Scanner) Failed() bool { return s.failed }

// AtEnd reports whether the scanner did not fail and only white space follows.
func (s *Scanner) AtEnd() bool { return s.peek() == 0 && s.pos >= len(s.data) && !s.failed }

// peek skips white space and returns the first byte of the next token, or 0 at the end: no token begins with 0.
func (s *Scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		// The first comparison is a fast path: it suffices for most bytes.
		if c := s.data[s.pos]; c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

func (s *Scanner) fail() bool {
	s.failed = true
	return false
}

// ReadNull reports whether the next value is null, and reads it if it is.
func (s *Scanner) ReadNull() bool {
	if !s.Is('n') {
		return false
	}
	s.Skip()
	return !s.failed
}

// Begin skips white space and returns the index of the next token.
func (s *Scanner) Begin() int {
	s.peek()
	return s.pos
}

// End returns the index after the last token that was read.
func (s *Scanner) End() int { return s.pos }

// Is reports whether the next value starts with a byte, such as { for an object.
func (s *Scanner) Is(first byte) bool { return !s.failed && s.peek() == first }

// FirstMember enters an object and reads the name of its first member, which [Scanner.Name] returns. The caller reads
// the value and continues with NextMember. It returns false if the object is empty.
func (s *Scanner) FirstMember() bool { return s.enter('{', '}') && s.readName() }

// NextMember reads the name of the next member. It returns false at the end of the object.
func (s *Scanner) NextMember() bool { return s.next('}') && s.readName() }

// Name returns the name of the member whose value is next.
func (s *Scanner) Name() StringSpan { return s.name }

// FirstElement enters an array. The caller reads the element and continues with NextElement. It returns false if the
// array is empty.
func (s *Scanner) FirstElement() bool { return s.enter('[', ']') }

// NextElement moves to the next element. It returns false at the end of the array.
func (s *Scanner) NextElement() bool { return s.next(']') }

func (s *Scanner) enter(begin, end byte) bool {
	if s.failed || s.peek() != begin || s.depth >= maxDepth {
		return s.fail()
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
	return s.fail()
}

func (s *Scanner) readName() bool {
	s.name = s.ReadString()
	if s.failed {
		return false
	}
	// The first comparison is a fast path: usually no white space precedes the colon.
	if s.pos < len(s.data) && s.data[s.pos] == ':' || s.peek() == ':' {
		s.pos++
		return true
	}
	return s.fail()
}

// Skip reads any value and returns its position, without the white space around it.
func (s *Scanner) Skip() (begin, end int) {
	begin = s.Begin()
	s.skip()
	if s.failed {
		return begin, begin
	}
	return begin, s.pos
}

func (s *Scanner) skip() {
	switch s.peek() {
	case '{':
		for more := s.FirstMember(); more; more = s.NextMember() {
			s.skip()
		}
	case '[':
		for more := s.FirstElement(); more; more = s.NextElement() {
			s.skip()
		}
	case '"':
		s.ReadString()
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.number()
	}
}

func (s *Scanner) literal(word string) {
	if !s.failed && bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
		s.pos += len(word)
	} else {
		s.fail()
	}
}

func (s *Scanner) number() {
	if end := endOfNumber(s.data, s.pos); !s.failed && end > 0 {
		s.pos = end
	} else {
		s.fail()
	}
}

// endOfNumber returns the index after the number that begins at an index, or -1.
func endOfNumber(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		i++
	case i < len(data) && '1' <= data[i] && data[i] <= '9':
		i = endOfDigits(data, i)
	default:
		return -1
	}
	if i < len(data) && data[i] == '.' {
		from := i + 1
		if i = endOfDigits(data, from); i == from {
			return -1
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from := i
		if i = endOfDigits(data, from); i == from {
			return -1
		}
	}
	return i
}

// endOfDigits returns the index of the first byte from an index on that is not a digit.
func endOfDigits(data []byte, i int) int {
	for i < len(data) && '0' <= data[i] && data[i] <= '9' {
		i++
	}
	return i
}
