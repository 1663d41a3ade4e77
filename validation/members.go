package validation

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/claimbridge/claimbridge/conversion"
)

// members of a JSON object.
type members map[string]json.RawMessage

func memberOf(object []byte, name string) (json.RawMessage, error) {
	var m members
	if _, err := conversion.Decode(object, &m); err != nil {
		return nil, err
	}
	return m[name], nil
}

// without is an object that lacks one member. All others keep their bytes.
func without(object []byte, name string) ([]byte, error) {
	var m members
	if _, err := conversion.Decode(object, &m); err != nil {
		return nil, err
	}
	delete(m, name)
	return m.object(), nil
}

// object is the members as one JSON object.
func (m members) object() []byte {
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			out = append(out, ',')
		}
		quoted, _ := json.Marshal(name) // a string always can be
		out = append(append(append(out, quoted...), ':'), m[name]...)
	}
	return append(out, '}')
}
