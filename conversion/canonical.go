package conversion

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// canonical rewrites a JSON value so that values which the API server cannot tell apart are the same bytes: members
// sorted, no white space, strings escaped as little as possible, and numbers as the API server keeps them (an int64
// by its digits, everything else as a float64). It is idempotent. It returns nil for what is not JSON.
func canonical(value []byte) []byte {
	out, err := jsontext.AppendFormat(nil, value,
		jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	if !bytes.ContainsAny(out, ".eE-") && !hasLongNumber(out) {
		return out
	}
	return canonicalNumbers(out)
}

// hasLongNumber tells whether there may be an integer that does not fit an int64: 19 digits or more in a row.
func hasLongNumber(value []byte) bool {
	run := 0
	for _, c := range value {
		if c < '0' || c > '9' {
			run = 0
			continue
		}
		if run++; run >= 19 {
			return true
		}
	}
	return false
}

func canonicalNumbers(value []byte) []byte {
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			end := i + 1
			for value[end] != '"' {
				if value[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, value[i:end+1]...)
			i = end + 1
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(value) && bytes.IndexByte([]byte("0123456789+-.eE"), value[end]) >= 0 {
				end++
			}
			out = appendNumber(out, string(value[i:end]))
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

func appendNumber(out []byte, number string) []byte {
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return strconv.AppendInt(out, n, 10)
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil { // out of range: no API server takes it, so any text will do as long as it is the same one
		return append(out, number...)
	}
	if f == 0 { // -0.0 too: the API server writes it as -0, which it then reads as the integer 0
		return append(out, '0')
	}
	if abs := math.Abs(f); 1e-6 <= abs && abs < 1e21 { // as encoding/json, and so the API server, writes it
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(out, f, 'e', -1, 64)
}

// Equal tells whether two JSON values of an object are the same to the API server: key order, white space and the
// spelling of strings and numbers do not count, and a member that is null, "", {}, [], false or 0 counts as absent.
// Parameters of drivers are opaque: inside them only order and spelling do not count.
func Equal(a, b []byte) bool {
	return bytes.Equal(canonical(withoutEmpty(a)), canonical(withoutEmpty(b)))
}

// opaque members hold JSON that only drivers understand.
var opaque = map[string]bool{
	"parameters": true, "vendorClassParameters": true, "vendorClaimParameters": true, "vendorRequestParameters": true,
}

// withoutEmpty drops members that say nothing, from the inside out. What is not JSON is returned as it is.
func withoutEmpty(value []byte) []byte {
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

func appendObjectWithoutEmpty(out []byte, dec *jsontext.Decoder) ([]byte, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	out = append(out, '{')
	first := true
	for dec.PeekKind() != '}' {
		raw, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		name := bytes.Clone(raw)
		var member []byte
		if unquoted, _ := jsontext.AppendUnquote(nil, name); opaque[string(unquoted)] {
			v, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			member = bytes.Clone(v)
		} else if member, err = appendWithoutEmpty(nil, dec); err != nil {
			return nil, err
		}
		switch string(member) {
		case "null", `""`, "{}", "[]", "false", "0":
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(append(out, name...), ':'), member...)
	}
	_, err := dec.ReadToken()
	return append(out, '}'), err
}
