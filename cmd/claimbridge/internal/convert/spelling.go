package convert

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// spellingOf a conversion is how a claim, or each of a list, is put in the words of conversions; nil where all are put so already. Items of
// other kinds, and lists in the list, are spelt as they are wanted.
func (c *converter) spellingOf(raw, converted []byte) *splice.Spelling {
	said, with := itemsOf(raw) // of what has no claims there is none
	wanted, withWanted := itemsOf(converted)
	if len(said) != len(wanted) {
		return nil
	}
	words := map[int]*splice.Spelling{}
	for i, item := range said {
		if c.Groups.Claim(manifest.TypeOf(item)) {
			if spelling := spellingOfClaim(item, wanted[i]); spelling != nil {
				words[i], said[i] = spelling, spelling.Source
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	return &splice.Spelling{Source: with(said), Same: func(object []byte) bool {
		items, withItems := itemsOf(object)
		if len(items) != len(wanted) {
			return false
		}
		for i, item := range items {
			if words[i] != nil && words[i].Same(item) {
				items[i] = wanted[i]
			}
		}
		return bytes.Equal(kjson.Canonical(withItems(items)), kjson.Canonical(withWanted(wanted)))
	}}
}

// itemsOf a list, or an object alone, and the whole with others in their place.
func itemsOf(object []byte) (items [][]byte, with func(items [][]byte) []byte) {
	_, kind := manifest.TypeOf(object)
	all := treeOf(object).member("items")
	if !strings.HasSuffix(kind, "List") || all == nil || all.is != '[' {
		return [][]byte{object}, func(items [][]byte) []byte { return items[0] }
	}
	for _, item := range all.children {
		items = append(items, object[item.begin:item.end])
	}
	return items, func(items [][]byte) []byte {
		return changedText(object, []change{{all.begin, all.end, manifest.AsList(items)}})
	}
}

// spellingOfClaim is found by the way back.
func spellingOfClaim(raw, converted []byte) *splice.Spelling {
	header, _ := conversion.ReadHeader(raw) // it was converted
	wanted, _ := conversion.ReadHeader(converted)
	back := func(object []byte) []byte {
		o := conversion.Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
		said, report, err := conversion.Append(nil, object, header.Version, o)
		if err != nil || len(report.Ignored)+len(report.Stale)+len(report.Lost) > 0 || report.Incomplete != "" {
			return nil
		}
		return kjson.Canonical(said)
	}
	said := back(converted)
	if said == nil || bytes.Equal(said, kjson.Canonical(raw)) {
		return nil
	}
	return &splice.Spelling{Source: said, Same: func(object []byte) bool {
		is, err := conversion.ReadHeader(object)
		return err == nil && is.Version == wanted.Version && bytes.Equal(back(object), said)
	}}
}
