package rawjson

// valueScanner finds the end of a value in a text that arrives in parts.
type valueScanner struct {
	depth     int
	isString  bool // within a string
	isEscaped bool // after a backslash
	isScalar  bool // within a number, true, false or null, which ends before the next token
}

// find returns the index after the value in the next part of the text, or -1 if the value continues after this part.
// The first part must begin with the value.
func (s *valueScanner) find(part []byte) int {
	for i := 0; i < len(part); i++ {
		if s.isString {
			i = s.skipString(part, i)
			if s.depth == 0 && !s.isString {
				return i + 1
			}
			continue
		}
		switch c := part[i]; {
		case c == '"':
			s.isString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.isScalar && s.depth == 0 {
				return i
			}
			s.depth--
			if s.depth <= 0 {
				return i + 1
			}
		case s.depth > 0:
		case c == ',' || c == ':' || isSpace(c):
			return i
		default:
			s.isScalar = true
		}
	}
	return -1
}

// skipString returns the index of the quote that ends a string, or the length of the part if the string continues.
func (s *valueScanner) skipString(part []byte, i int) int {
	for ; i < len(part); i++ {
		switch {
		case s.isEscaped:
			s.isEscaped = false
		case part[i] == '\\':
			s.isEscaped = true
		case part[i] == '"':
			s.isString = false
			return i
		}
	}
	return i
}

// scanValue returns the value that begins at an index, and the index after it, which is -1 if there is no value.
func scanValue(text []byte, begin int) ([]byte, int) {
	if begin >= len(text) {
		return nil, -1
	}
	var s valueScanner
	length := s.find(text[begin:])
	if length < 0 && s.isScalar && s.depth == 0 {
		length = len(text) - begin
	}
	if length <= 0 || s.depth < 0 {
		return nil, -1
	}
	end := begin + length
	return text[begin:end:end], end
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipSpace returns the index of the first byte from an index on that is not white space.
func skipSpace(text []byte, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

func trimSpace(text []byte) []byte {
	text = text[skipSpace(text, 0):]
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}
