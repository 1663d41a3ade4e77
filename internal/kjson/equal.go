package kjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Equal tells whether two JSON values of an object are the same to the API server: key order, white space and the
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
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	out, err := appendWithoutEmpty(nil, dec)
	if err != nil {
		return value
	}
	return out
}

func appendWithoutEmpty(out []byte, dec *jsontext.Decoder) ([]byte, error) {
	switch dec.PeekKind() {
	case '{':
		return appendObjectWithoutEmpty(out, dec)
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		out = append(out, '[')
		for first := true; dec.PeekKind() != ']'; first = false {
			if !first {
				out = append(out, ',')
			}
			var err error
			if out, err = appendWithoutEmpty(out, dec); err != nil {
				return nil, err
			}
		}
		_, err := dec.ReadToken()
		return append(out, ']'), err
	default:
		v, err := dec.ReadValue()
		return append(out, v...), err
	}
}

// appendObjectWithoutEmpty writes each member where it will stand, and takes it back when it says nothing.
func appendObjectWithoutEmpty(out []byte, dec *jsontext.Decoder) ([]byte, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	out = append(out, '{')
	for empty := true; dec.PeekKind() != '}'; {
		before := len(out)
		name, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if !empty {
			out = append(out, ',')
		}
		out = append(append(out, name...), ':')
		at := len(out)
		if unquoted, _ := jsontext.AppendUnquote(nil, name); opaque[string(unquoted)] {
			var value jsontext.Value
			value, err = dec.ReadValue()
			out = append(out, value...)
		} else {
			out, err = appendWithoutEmpty(out, dec)
		}
		if err != nil {
			return nil, err
		}
		switch string(out[at:]) {
		case "null", `""`, "{}", "[]", "false", "0":
			out = out[:before]
		default:
			empty = false
		}
	}
	_, err := dec.ReadToken()
	return append(out, '}'), err
}
