package kjson

import "unsafe"

// StringOf reads a value that is a string, which may share memory with it; anything but a string is "".
func StringOf(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s := New(value)
	if t := s.String(); !t.Escaped && !t.Foreign {
		return View(value[t.Begin:t.End])
	}
	unquoted, _ := AppendUnquoted(nil, value)
	return View(unquoted)
}

// Quote writes a string as JSON; what is no UTF-8 becomes U+FFFD.
func Quote(s string) []byte { return AppendQuoted(nil, s) }

// View is a part of a text as a string that shares its memory.
func View(part []byte) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

// BytesOf is the other way; the bytes must not be changed.
func BytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
