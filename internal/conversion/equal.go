package conversion

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Equal reports whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers are ignored, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling are ignored.
func Equal(a, b []byte) bool {
	return bytes.Equal(objectjson.Canonical(WithoutEmpty(a)), objectjson.Canonical(WithoutEmpty(b)))
}

// opaque has the names of members whose JSON only drivers understand.
var opaque = map[string]bool{
	"parameters": true, "vendorClassParameters": true, "vendorClaimParameters": true, "vendorRequestParameters": true,
}

// WithoutEmpty returns a JSON value without members that are null, "", {}, [], false or 0, and without members that
// become empty this way. Text that is not JSON is unchanged.
func WithoutEmpty(value []byte) []byte {
	s := objectjson.NewScanner(value)
	out := appendWithoutEmpty(&s, nil)
	if !s.AtEnd() {
		return value
	}
	return out
}

func appendWithoutEmpty(s *objectjson.Scanner, out []byte) []byte {
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

// appendObjectWithoutEmpty appends each member, and removes it again if it is empty.
func appendObjectWithoutEmpty(s *objectjson.Scanner, out []byte) []byte {
	out = append(out, '{')
	for name := range s.Members() {
		memberBegin := len(out)
		out = objectjson.AppendName(out, name)
		valueBegin := len(out)
		if opaque[name] {
			out = append(out, s.Value()...)
		} else {
			out = appendWithoutEmpty(s, out)
		}
		switch string(out[valueBegin:]) {
		case "null", `""`, "{}", "[]", "false", "0":
			out = out[:memberBegin]
		}
	}
	return append(out, '}')
}
