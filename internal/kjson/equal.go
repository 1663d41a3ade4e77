package kjson

import "bytes"

// Equal reports whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers do not count, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling do not count.
func Equal(a, b []byte) bool {
	return bytes.Equal(Canonical(WithoutEmpty(a)), Canonical(WithoutEmpty(b)))
}

// opaque members hold JSON that only drivers understand.
var opaque = map[string]bool{
	"parameters": true, "vendorClassParameters": true, "vendorClaimParameters": true, "vendorRequestParameters": true,
}

// WithoutEmpty drops members that say nothing, from the inside out. What is not JSON is returned as it is.
func WithoutEmpty(value []byte) []byte {
	s := New(value)
	out := s.appendWithoutEmpty(nil)
	if !s.AtEnd() {
		return value
	}
	return out
}

func (s *Scanner) appendWithoutEmpty(out []byte) []byte {
	switch {
	case s.Is('{'):
		return s.appendObjectWithoutEmpty(out)
	case s.Is('['):
		out = append(out, '[')
		for i := range s.Elements() {
			if i > 0 {
				out = append(out, ',')
			}
			out = s.appendWithoutEmpty(out)
		}
		return append(out, ']')
	}
	return append(out, s.Value()...)
}

// appendObjectWithoutEmpty writes each member where it will stand, and takes it back when it says nothing.
func (s *Scanner) appendObjectWithoutEmpty(out []byte) []byte {
	out = append(out, '{')
	for name := range s.Members() {
		before := len(out)
		out = AppendName(out, name)
		at := len(out)
		if opaque[name] {
			out = append(out, s.Value()...)
		} else {
			out = s.appendWithoutEmpty(out)
		}
		switch string(out[at:]) {
		case "null", `""`, "{}", "[]", "false", "0":
			out = out[:before]
		}
	}
	return append(out, '}')
}
