package yamldoc

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// AppendObject appends members as a JSON object.
func AppendObject(out []byte, members []objectjson.Member) []byte {
	out = append(out, '{')
	for _, m := range members {
		out = append(objectjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// JSONArray returns items as a JSON array.
func JSONArray(items [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
}

// Prepend adds members at the beginning of a JSON object that does not have them. A value that is not an object is
// returned unchanged.
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
