package kjson

// skip gives the place behind the value that begins at a place, or -1 when there is none. Objects and arrays may nest
// so deep. All that is read but not wanted goes through here, so it keeps what it knows in registers.
func skip(data []byte, i, depth int) int {
	if i = space(data, i); i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		return endOfString(data, i+1)
	case '{':
		return skipObject(data, i+1, depth-1)
	case '[':
		return skipArray(data, i+1, depth-1)
	case 't':
		return literal(data, i, "true")
	case 'f':
		return literal(data, i, "false")
	case 'n':
		return literal(data, i, "null")
	}
	return skipNumber(data, i)
}

func skipObject(data []byte, i, depth int) int {
	if depth < 0 {
		return -1
	}
	if i = space(data, i); i < len(data) && data[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(data) || data[i] != '"' {
			return -1
		}
		if i = endOfString(data, i+1); i < 0 {
			return -1
		}
		if i = space(data, i); i >= len(data) || data[i] != ':' {
			return -1
		}
		if i = skip(data, i+1, depth); i < 0 {
			return -1
		}
		if i = space(data, i); i >= len(data) {
			return -1
		}
		switch data[i] {
		case ',':
			i = space(data, i+1)
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

func skipArray(data []byte, i, depth int) int {
	if depth < 0 {
		return -1
	}
	if i = space(data, i); i < len(data) && data[i] == ']' {
		return i + 1
	}
	for {
		if i = skip(data, i, depth); i < 0 {
			return -1
		}
		if i = space(data, i); i >= len(data) {
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

// space gives the place of the next byte that is no white space.
func space(data []byte, i int) int {
	if i < len(data) && data[i] > ' ' {
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

// skipNumber reads a number, which must not have leading zeros.
func skipNumber(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		i++
	case i < len(data) && '1' <= data[i] && data[i] <= '9':
		i = digits(data, i)
	default:
		return -1
	}
	if i < len(data) && data[i] == '.' {
		from := i + 1
		if i = digits(data, from); i == from {
			return -1
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from := i
		if i = digits(data, from); i == from {
			return -1
		}
	}
	return i
}

func digits(data []byte, i int) int {
	for i < len(data) && '0' <= data[i] && data[i] <= '9' {
		i++
	}
	return i
}
