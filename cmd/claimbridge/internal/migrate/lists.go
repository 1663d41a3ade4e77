package migrate

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// list in memory as JSON, its items converted one by one. It is whole even where it is broken.
func (p *part) list(list *yamldoc.List, depth int) (converted []byte, broken error) {
	is := claims.ListType{APIVersion: list.APIVersion, Kind: list.Kind}
	if p.Groups.ClaimList(is.APIVersion, is.Kind) && !strings.HasSuffix(is.APIVersion, "/"+p.to) {
		p.changes++
	}
	var items [][]byte
	item, err := list.Next()
	for ; err == nil; item, err = list.Next() {
		if object, ok := p.item(item, depth, is); ok {
			items = append(items, bytes.Clone(object))
		}
	}
	if !errors.Is(err, io.EOF) {
		broken = err
	}
	before := append(p.members(list, is, list.Before), objectjson.Member{Name: "items", Value: yamldoc.AsList(items)})
	return yamldoc.AppendObject(nil, append(before, p.members(list, is, list.After)...)), broken
}

// members of a list, with the version of a typed one set.
func (c *converter) members(list *yamldoc.List, is claims.ListType, members []objectjson.Member) []objectjson.Member {
	set := slices.Clone(members)
	if group, _, _ := strings.Cut(list.APIVersion, "/"); c.Groups.ClaimList(is.APIVersion, is.Kind) {
		for i := range set {
			if set[i].Name == "apiVersion" {
				set[i].Value = objectjson.Quote(group + "/" + c.to)
			}
		}
	}
	return set
}

// item is what one of a list becomes: a claim, a list in the list, or something else. When it is
// not ok, the reason was printed. The answer is valid until the next call.
func (p *part) item(item yamldoc.Item, depth int, in claims.ListType) (object []byte, ok bool) {
	is := p.Groups.Item(item, in)
	if is.IsClaim || is.IsList || p.inPlace == nil && p.out.CanText() { // YAML cannot have a key twice
		if object, ok = p.once(item); !ok {
			return nil, false
		}
		if len(object) < len(item.Object) {
			item.Object = object
			is = p.Groups.Item(item, in)
		}
	}
	var changed, untyped bool // it leaves its type to the list
	switch {
	case is.IsClaim:
		var same bool
		object, same, ok = p.claim(is.Whole, is.Position)
		changed, untyped = ok && !same, p.inPlace != nil // what its author left out stays out
	case is.IsList:
		return p.innerList(is, depth)
	case (is.Kind == "" || is.APIVersion == "") && in.Any():
		p.log.Error(&yamldoc.DocumentError{Position: is.Position, Err: problems.ErrNoType})
		return nil, false
	default:
		object, changed, ok = p.other(is.Position, is.APIVersion, is.Kind, is.Whole, is.Whole)
		if untyped = !p.Groups.Names(is.APIVersion); !changed {
			// where the list stays in another version it has its own
			return is.Object, ok
		}
	}
	if changed {
		p.changes++
	}
	if ok && untyped && len(is.Whole) > len(is.Object) {
		if members, _, err := objectjson.Members(object); err == nil { // else it goes with its type, which says the same
			object = without(members, "apiVersion", "kind")
		}
	}
	return object, ok
}

// innerList is what a list that is an item of a list becomes. When it is not ok, the reason was printed.
func (p *part) innerList(is claims.Object, depth int) (converted []byte, ok bool) {
	list, err := is.List(depth)
	if converted = is.Whole; err == nil && list != nil {
		converted, err = p.list(list, depth+1)
	}
	if err != nil {
		p.log.Error(&yamldoc.DocumentError{Position: is.Position, Err: err})
	}
	return converted, err == nil
}
