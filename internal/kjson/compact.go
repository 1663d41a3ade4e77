package kjson

import "bytes"

// AppendCompact appends a value without the white space between its tokens. All else stays as it is written. The value
// must be JSON; what is not is appended in some way.
func AppendCompact(out, value []byte) []byte {
	if !mayHaveSpace(value) {
		return append(out, value...)
	}
	begin := 0 // of what was not appended yet
	for i := 0; i < len(value); {
		switch value[i] {
		case ' ', '\t', '\n', '\r':
			out = append(out, value[begin:i]...)
			i++
			begin = i
		case '"':
			i = textEnd(value, i)
		default:
			i++
		}
	}
	return append(out, value[begin:]...)
}

// mayHaveSpace is false for what programs write, but for text with blanks in it.
func mayHaveSpace(value []byte) bool {
	for _, space := range []byte(" \n\t\r") {
		if bytes.IndexByte(value, space) >= 0 {
			return true
		}
	}
	return false
}

// textEnd gives the index behind the string that begins at an index, or that behind the value where it has no end.
func textEnd(value []byte, begin int) int {
	if end, _, _ := endOfString(value, begin+1); end >= 0 {
		return end
	}
	return len(value)
}
