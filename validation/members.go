package validation

import "github.com/claimbridge/claimbridge/internal/kjson"

// memberOf a JSON object, as it is written; nil when it has none of the name.
func memberOf(object []byte, name string) ([]byte, error) {
	members, _, err := kjson.Members(object)
	return kjson.Get(members, name), err
}

// without is an object that lacks one member. All others keep their bytes.
func without(object []byte, name string) ([]byte, error) {
	members, _, err := kjson.Members(object)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, m := range members {
		if m.Name != name {
			out = append(kjson.AppendName(out, m.Name), m.Value...)
		}
	}
	return append(out, '}'), nil
}
