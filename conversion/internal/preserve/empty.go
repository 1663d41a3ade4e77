package preserve

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Equal reports whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers do not count, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling do not count.
func Equal(a, b []byte) bool {
	return bytes.Equal(kjson.Canonical(WithoutEmpty(a)), kjson.Canonical(WithoutEmpty(b)))
}

// opaque members hold JSON that only drivers understand.
var opaque = map[string]bool{
	"parameters": true, "vendorClassParameters": true, "vendorClaimParameters": true, "vendorRequestParameters": true,
}

// WithoutEmpty drops members that say nothing, from the inside out. What is not JSON is returned as it is.
func WithoutEmpty(value []byte) []byte {
	s := kjson.New(value)
	out := appendWithoutEmpty(&s, nil)
	if !s.AtEnd() {
		return value
	}
	return out
}

func appendWithoutEmpty(s *kjson.Scanner, out []byte) []byte {
	switch {
	case s.Is('{'):
		return appendObjectWithoutEmpty(s, out)
	case s.Is('['):
		out = append(out, '[')
		for i := range s.Elements() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendWithoutEmpty(s, out)
		}
		return append(out, ']')
	}
	return append(out, s.Value()...)
}

// appendObjectWithoutEmpty writes each member where it will stand, and takes it back when it says nothing.
func appendObjectWithoutEmpty(s *kjson.Scanner, out []byte) []byte {
	out = append(out, '{')
	for name := range s.Members() {
		before := len(out)
		out = kjson.AppendName(out, name)
		at := len(out)
		if opaque[name] {
			out = append(out, s.Value()...)
		} else {
			out = appendWithoutEmpty(s, out)
		}
		switch string(out[at:]) {
		case "null", `""`, "{}", "[]", "false", "0":
			out = out[:before]
		}
	}
	return append(out, '}')
}
