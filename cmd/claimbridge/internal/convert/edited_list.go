package convert

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// spellingOfList is spellingOf for the claims that are items of a list; nil where all are put in the words of conversions already. Items
// of other kinds, and lists in the list, are spelt as they are wanted.
func (p *part) spellingOfList(raw, converted []byte) *splice.Spelling {
	was, wanted := itemsOf(raw), itemsOf(converted)
	if len(was) != len(wanted) {
		return nil
	}
	words := make([]*splice.Spelling, len(was))
	said := make([][]byte, len(was))
	some := false
	for i := range was {
		if said[i] = was[i]; !p.groups.Claim(manifest.TypeOf(was[i])) {
			continue
		}
		if words[i] = spellingOf(was[i], wanted[i]); words[i] != nil {
			some, said[i] = true, words[i].Source
		}
	}
	if !some {
		return nil
	}
	return &splice.Spelling{
		Source: withItems(raw, said),
		Same: func(object []byte) bool {
			items := itemsOf(object)
			if len(items) != len(wanted) {
				return false
			}
			for i := range items {
				if same := words[i] != nil && words[i].Same(items[i]); !same && !bytes.Equal(kjson.Canonical(items[i]), kjson.Canonical(wanted[i])) {
					return false
				}
			}
			return bytes.Equal(kjson.Canonical(withItems(object, nil)), kjson.Canonical(withItems(converted, nil)))
		},
	}
}

func itemsOf(list []byte) (items [][]byte) {
	members, _, err := kjson.Members(list)
	if err != nil {
		return nil
	}
	r := kjson.New(kjson.Get(members, "items"))
	if !r.Is('[') {
		return nil
	}
	for range r.Elements() {
		items = append(items, r.Value())
	}
	return items
}

// withItems is a list with other items.
func withItems(list []byte, items [][]byte) []byte {
	members, _, err := kjson.Members(list)
	if err != nil {
		return nil
	}
	for i := range members {
		if members[i].Name == "items" {
			members[i].Value = append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
		}
	}
	return manifest.AppendObject(nil, members)
}
