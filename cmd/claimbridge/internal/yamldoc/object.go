package yamldoc

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// AppendObject writes members as a JSON object.
func AppendObject(out []byte, members []objectjson.Member) []byte {
	out = append(out, '{')
	for _, m := range members {
		out = append(objectjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// AsList writes items as a JSON list.
func AppendArray(items [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
}

// Prepend members to a JSON object that does not have them. What is not an object is returned as it is.
func Prepend(object []byte, members []objectjson.Member) []byte {
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
