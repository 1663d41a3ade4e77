package unstructured

import (
	"bytes"
	"fmt"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// parse returns the members of a JSON object. If a name occurs several times, the last value counts, as for an API
// server. A text that is not JSON is an error wherever the mistake is.
func parse(text []byte) ([]objectjson.Member, error) {
	s := objectjson.NewScanner(text)
	value := s.Value()
	if err := s.Err(); err != nil {
		return nil, err
	}
	return membersOf(value)
}

// membersOf returns the members of an object in valid JSON.
func membersOf(value []byte) ([]objectjson.Member, error) {
	if !objectjson.StartsWith(value, '{') {
		return nil, &conversion.DecodeError{Why: "must be an object"}
	}
	list := objectjson.ListMembers(value)
	return list.Items, nil
}

// encode returns the object that has the members.
func encode(members []objectjson.Member) []byte {
	size := len("{}")
	for _, m := range members {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for _, m := range members {
		out = append(objectjson.AppendName(out, m.Name), m.Value...)
	}
	return append(out, '}')
}

// eachItem in a path stands for every item of a list.
const eachItem = "[]"

// edit returns a value in which the members of the objects at a path are replaced by what a function returns for them.
// The path consists of names of members and [eachItem]. Values on the path that are absent or null are unchanged, and
// any other value that is not an object, or not a list, is an error.
func edit(value []byte, path []string, replace func([]objectjson.Member) ([]objectjson.Member, error)) ([]byte, error) {
	switch {
	case objectjson.IsNull(value):
		return value, nil
	case len(path) > 0 && path[0] == eachItem:
		return editItems(value, path[1:], replace)
	}
	members, err := membersOf(value)
	if err != nil {
		return nil, err
	}
	if len(path) == 0 {
		members, err = replace(members)
		return encode(members), err
	}
	i := objectjson.Find(members, path[0])
	if i < 0 {
		return value, nil
	}
	edited, err := edit(members[i].Value, path[1:], replace)
	if err != nil {
		return nil, objectjson.AtPath(path[0], err)
	}
	members[i].Value = edited
	return encode(members), nil
}

func editItems(
	list []byte, path []string, replace func([]objectjson.Member) ([]objectjson.Member, error),
) ([]byte, error) {
	if !objectjson.StartsWith(list, '[') {
		return nil, &conversion.DecodeError{Why: "must be a list"}
	}
	items := objectjson.Items(list)
	for i := range items {
		edited, err := edit(items[i], path, replace)
		if err != nil {
			return nil, objectjson.AtPath(fmt.Sprintf("[%d]", i), err)
		}
		items[i] = edited
	}
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']'), nil
}
