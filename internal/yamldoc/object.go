package yamldoc

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// AppendObject appends members as a JSON object.
func AppendObject(out []byte, members []objectjson.Member) []byte {
	size := len("{}")
	for _, m := range members {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	out = append(slices.Grow(out, size), '{')
	for _, m := range members {
		out = append(objectjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// JSONArray returns items as a JSON array.
func JSONArray(items [][]byte) []byte {
	size := len("[]") + len(items)
	for _, item := range items {
		size += len(item)
	}
	out := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
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
