package kjson

import (
	"bytes"
	"unicode/utf8"
)

// isCanonical reports whether a value is written as [Canonical] writes it. Yes is always right. No
// may be wrong, for names with escapes and strings that look as if they had some of another kind.
func isCanonical(value []byte) bool { return skip(value, 0, maxDepth, true) == len(value) }

// skip gives the index behind the value that begins at an index, or -1 when there is none, or none
// that is canonical where that is asked. Objects and arrays may nest so deep. All that is read but
// not wanted goes through here, so it keeps what it knows in registers.
func skip(data []byte, i, depth int, canonical bool) int {
	if i = space(data, i, canonical); i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		return skipString(data, i, canonical)
	case '{':
		return skipItems(data, i+1, depth-1, '}', canonical)
	case '[':
		return skipItems(data, i+1, depth-1, ']', canonical)
	case 't':
		return literal(data, i, "true")
	case 'f':
		return literal(data, i, "false")
	case 'n':
		return literal(data, i, "null")
	}
	return skipNumber(data, i, canonical)
}

// skipItems reads on behind the bracket of an object or an array, to the one that ends it. In a
// canonical object names are in order, each once, and have no escapes.
func skipItems(data []byte, i, depth int, end byte, canonical bool) int {
	if depth < 0 {
		return -1
	}
	if i = space(data, i, canonical); i < len(data) && data[i] == end {
		return i + 1
	}
	var last []byte
	for {
		if end == '}' {
			begin := i
			if i >= len(data) || data[i] != '"' {
				return -1
			}
			if i = skipString(data, i, canonical); i < 0 {
				return -1
			}
			if canonical {
				name := data[begin:i]
				if bytes.IndexByte(name, '\\') >= 0 || bytes.Compare(last, name[:len(name)-1]) >= 0 {
					return -1
				}
				last = name[:len(name)-1]
			}
			if i = space(data, i, canonical); i >= len(data) || data[i] != ':' {
				return -1
			}
			i++
		}
		if i = skip(data, i, depth, canonical); i < 0 {
			return -1
		}
		if i = space(data, i, canonical); i >= len(data) {
			return -1
		}
		switch data[i] {
		case ',':
			i = space(data, i+1, canonical)
		case end:
			return i + 1
		default:
			return -1
		}
	}
}

// skipString reads a string. A canonical one has but escapes of one letter, and not that of a slash.
func skipString(data []byte, i int, canonical bool) int {
	end, escaped, foreign := endOfString(data, i+1)
	if canonical && end > 0 && (escaped || foreign) {
		text := data[i:end]
		if bytes.Contains(text, []byte(`\u`)) || bytes.Contains(text, []byte(`\/`)) || !utf8.Valid(text) {
			return -1
		}
	}
	return end
}

// space gives the index of the next byte that is no white space, of which canonical JSON has none.
func space(data []byte, i int, canonical bool) int {
	if canonical || i < len(data) && data[i] > ' ' {
		return i
	}
	return moreSpace(data, i)
}

func moreSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

func literal(data []byte, i int, word string) int {
	if len(data)-i < len(word) || string(data[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}
