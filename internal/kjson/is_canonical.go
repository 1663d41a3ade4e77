package kjson

import (
	"bytes"
	"unicode/utf8"
)

// isCanonical tells that a value is written in the one way in which whoever writes it canonically writes it: no white
// space, the members of objects in the order of their names and each once, only escapes of one letter, and whole numbers of
// at most 18 digits. Yes is always right. No may be wrong, for names with escapes and for other numbers.
func isCanonical(value []byte) bool { return endOfCanonical(value, 0, maxDepth) == len(value) }

// endOfCanonical gives the place behind the value that begins at a place, or -1.
func endOfCanonical(data []byte, i, depth int) int {
	if i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		return canonicalString(data, i)
	case '{':
		return canonicalObject(data, i+1, depth-1)
	case '[':
		return canonicalArray(data, i+1, depth-1)
	case 't':
		return literal(data, i, "true")
	case 'f':
		return literal(data, i, "false")
	case 'n':
		return literal(data, i, "null")
	}
	return canonicalNumber(data, i)
}

func canonicalObject(data []byte, i, depth int) int {
	if depth < 0 || i >= len(data) {
		return -1
	}
	if data[i] == '}' {
		return i + 1
	}
	var last []byte
	for first := true; ; first = false {
		if i >= len(data) || data[i] != '"' {
			return -1
		}
		end, foreign := plainRun(data, i+1)
		name := data[i+1 : end]
		if foreign || end+1 >= len(data) || data[end] != '"' || data[end+1] != ':' || !first && bytes.Compare(last, name) >= 0 {
			return -1
		}
		last = name
		if i = endOfCanonical(data, end+2, depth); i < 0 || i >= len(data) {
			return -1
		}
		switch data[i] {
		case ',':
			i++
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

func canonicalArray(data []byte, i, depth int) int {
	if depth < 0 || i >= len(data) {
		return -1
	}
	if data[i] == ']' {
		return i + 1
	}
	for {
		if i = endOfCanonical(data, i, depth); i < 0 || i >= len(data) {
			return -1
		}
		switch data[i] {
		case ',':
			i++
		case ']':
			return i + 1
		default:
			return -1
		}
	}
}

func canonicalString(data []byte, i int) int {
	begin := i
	end, foreign := plainRun(data, i+1)
	for end < len(data) && data[end] == '\\' {
		if end+1 >= len(data) || data[end+1] == '/' || meantBy[data[end+1]] == 0 {
			return -1
		}
		next, more := plainRun(data, end+2)
		end, foreign = next, foreign || more
	}
	if end >= len(data) || data[end] != '"' || foreign && !utf8.Valid(data[begin:end]) {
		return -1
	}
	return end + 1
}

func canonicalNumber(data []byte, i int) int {
	if data[i] == '0' {
		i++
	} else {
		if data[i] == '-' {
			i++
		}
		from := i
		if i = digits(data, i); i == from || i-from > 18 || data[from] == '0' {
			return -1
		}
	}
	if i < len(data) && (data[i] == '.' || data[i] == 'e' || data[i] == 'E') {
		return -1
	}
	return i
}
