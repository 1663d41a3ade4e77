package rawjson

// valueScanner finds the end of a value in a text that arrives in parts.
type valueScanner struct {
	depth     int
	isString  bool // within a string
	isEscaped bool // behind a backslash
	isScalar  bool // within a number, true, false or null, which ends before the next token
}

// find returns the index after the value in the next part of the text, or -1 if the value continues after this part.
// The first part must begin with the value.
func (e *valueScanner) find(part []byte) int {
	for i := 0; i < len(part); i++ {
		if e.isString {
			i = e.skipString(part, i)
			if e.depth == 0 && !e.isString {
				return i + 1
			}
			continue
		}
		switch c := part[i]; {
		case c == '"':
			e.isString = true
		case c == '{' || c == '[':
			e.depth++
		case c == '}' || c == ']':
			if e.isScalar && e.depth == 0 {
				return i
			}
			e.depth--
			if e.depth <= 0 {
				return i + 1
			}
		case e.depth > 0:
		case c == ',' || c == ':' || isSpace(c):
			return i
		default:
			e.isScalar = true
		}
	}
	return -1
}

// skipString returns the index of the quote that ends a string, or the length of the part if the string continues.
func (e *valueScanner) skipString(part []byte, i int) int {
	for ; i < len(part); i++ {
		switch {
		case e.isEscaped:
			e.isEscaped = false
		case part[i] == '\\':
			e.isEscaped = true
		case part[i] == '"':
			e.isString = false
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
	var e valueScanner
	length := e.find(text[begin:])
	if length < 0 && e.isScalar && e.depth == 0 {
		length = len(text) - begin
	}
	if length <= 0 || e.depth < 0 {
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
