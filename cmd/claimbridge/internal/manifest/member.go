package manifest

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Member of a JSON object: its name and its value as written.
type Member struct {
	Name  string
	Value []byte
}

func readMember(dec *jsontext.Decoder) (Member, error) {
	name, err := dec.ReadToken()
	if err != nil {
		return Member{}, err
	}
	m := Member{Name: name.String()}
	value, err := dec.ReadValue()
	m.Value = bytes.Clone(value)
	return m, err
}

// AppendObject writes members as a JSON object.
func AppendObject(out []byte, members []Member) []byte {
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = AppendMember(out, m)
	}
	return append(out, '}')
}

// AppendMember writes a member, without a comma.
func AppendMember(out []byte, m Member) []byte {
	out, _ = jsontext.AppendQuote(out, m.Name) // the name was valid when it was read
	out = append(out, ':')
	return append(out, m.Value...)
}

// TypeOf a JSON object, as far as it says.
func TypeOf(raw []byte) (apiVersion, kind string) {
	s := kjson.New(raw)
	for more := s.FirstMember(); more && (apiVersion == "" || kind == ""); more = s.NextMember() {
		name := raw[s.Name().Begin:s.Name().End]
		if s.Name().Escaped {
			name = []byte(unquote(raw[s.Name().Begin-1 : s.Name().End+1]))
		}
		begin, end := s.Skip()
		switch string(name) {
		case "apiVersion":
			apiVersion = unquote(raw[begin:end])
		case "kind":
			kind = unquote(raw[begin:end])
		}
	}
	return apiVersion, kind
}

// unquote a JSON string; anything else is "".
func unquote(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s, ok := kjson.AppendUnquoted(nil, value)
	if !ok {
		return ""
	}
	return string(s)
}

// Quote a text as a JSON string.
func Quote(s string) []byte {
	out, _ := jsontext.AppendQuote(nil, s) // what is not UTF-8 was refused when it was read
	return out
}

// Prepend members to a JSON object that does not have them. What is not an object is returned as it is.
func Prepend(object []byte, members []Member) []byte {
	rest, isObject := bytes.CutPrefix(bytes.TrimLeft(object, " \t\r\n"), []byte{'{'})
	if !isObject {
		return object
	}
	out := AppendObject(nil, members)
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(rest) > 0 && rest[0] == '}' {
		return out
	}
	return append(append(out[:len(out)-1], ','), rest...)
}
