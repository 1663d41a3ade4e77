package manifest

import "bytes"

// isCompact reports whether JSON is surely without white space between its tokens. Strings hold no line ends and tabs as
// such, and of two tokens one is always punctuation: a space that stands by none is part of a string.
func isCompact(value []byte) bool {
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 || bytes.IndexByte(value, '\t') >= 0 {
		return false
	}
	for i := 0; ; i++ {
		next := bytes.IndexByte(value[i:], ' ')
		if next < 0 {
			return true
		}
		i += next
		if i == 0 || i+1 == len(value) || beside[value[i-1]] || beside[value[i+1]] {
			return false
		}
	}
}

// beside white space between tokens stands one of these: punctuation, or more of it.
var beside = [256]bool{'{': true, '}': true, '[': true, ']': true, ',': true, ':': true, ' ': true}
