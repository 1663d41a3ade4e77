package manifest

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Member of a JSON object.
type Member = kjson.Member

// AppendObject writes members as a JSON object.
func AppendObject(out []byte, members []Member) []byte {
	out = append(out, '{')
	for _, m := range members {
		out = append(kjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// TypeOf a JSON object, as far as it says.
func TypeOf(raw []byte) (apiVersion, kind string) {
	s := kjson.New(raw)
	for name, value := range s.Values() {
		switch name {
		case "apiVersion":
			apiVersion = strings.Clone(kjson.StringOf(value))
		case "kind":
			kind = strings.Clone(kjson.StringOf(value))
		}
		if apiVersion != "" && kind != "" {
			break
		}
	}
	return apiVersion, kind
}

// Prepend members to a JSON object that does not have them. What is not an object is returned as it is.
func Prepend(object []byte, members []Member) []byte {
	rest, isObject := bytes.CutPrefix(bytes.TrimLeft(object, " \t\r\n"), []byte{'{'})
	if !isObject {
		return object
	}
	out := bytes.TrimSuffix(AppendObject(nil, members), []byte{'}'})
	if rest = bytes.TrimLeft(rest, " \t\r\n"); !bytes.HasPrefix(rest, []byte{'}'}) {
		out = append(out, ',')
	}
	return append(out, rest...)
}
