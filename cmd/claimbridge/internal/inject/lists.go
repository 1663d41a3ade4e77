package inject

import (
	"encoding/json"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// set an item of a list of an object, in the place of the one of its name.
func set(object []byte, list, key, name string, item any) []byte {
	items := kjson.Items(member(object, list))
	if i := slices.IndexFunc(items, named(key, name)); i >= 0 {
		items[i] = encode(item)
	} else {
		items = append(items, encode(item))
	}
	return with(object, list, items)
}

// drop items of a list of an object.
func drop(object []byte, list string, names ...string) []byte {
	return with(object, list, slices.DeleteFunc(kjson.Items(member(object, list)), named("name", names...)))
}

// named tells items by a key of theirs.
func named(key string, names ...string) func([]byte) bool {
	return func(item []byte) bool { return slices.Contains(names, kjson.StringOf(member(item, key))) }
}

func member(object []byte, name string) []byte {
	members, _, _ := kjson.Members(object) // it was decoded before
	return kjson.Get(members, name)
}

// with gives an object a list, in its place or at the end. An empty one is left out.
func with(object []byte, name string, items [][]byte) []byte {
	members, _, _ := kjson.Members(object)
	switch i := kjson.Find(members, name); {
	case i >= 0 && len(items) == 0:
		members = slices.Delete(members, i, i+1)
	case i >= 0:
		members[i].Value = manifest.AsList(items)
	case len(items) > 0:
		members = append(members, manifest.Member{Name: name, Value: manifest.AsList(items)})
	}
	return manifest.AppendObject(nil, members)
}

func encode(part any) []byte {
	out, _ := json.Marshal(part) // a type of Kubernetes, which can be
	return out
}
