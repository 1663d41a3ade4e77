package migrate

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// topLevel is the depth of a list that is a document. A list that is an item of it has the next depth.
const topLevel = 1

// convertList converts a list in memory, item by item. It stops at an item that cannot be read, and returns its error
// with the result of the items before it.
func (c *Converter) convertList(in location, list *yamldoc.List, depth int) (r Result, readErr error) {
	listType := claims.ListType{APIVersion: list.APIVersion, Kind: list.Kind}
	r.Changed = c.Groups.IsClaimList(listType.APIVersion, listType.Kind) &&
		!strings.HasSuffix(listType.APIVersion, "/"+c.version)
	var items [][]byte
	item, err := list.Next()
	for ; err == nil; item, err = list.Next() {
		converted := c.convertItem(in.item(item.Position), item, depth, listType)
		r.Include(&converted)
		r.Changed = r.Changed || converted.Changed
		if r.duplicate == nil {
			r.duplicate = converted.duplicate
		}
		if !converted.Failed {
			items = append(items, slices.Clone(converted.Object))
		}
	}
	if !errors.Is(err, io.EOF) {
		readErr = err
	}
	r.Object = yamldoc.AppendObject(nil, slices.Concat(
		c.membersOf(list, listType, list.Before),
		[]objectjson.Member{{Name: "items", Value: yamldoc.JSONArray(items)}},
		c.membersOf(list, listType, list.After),
	))
	return r, readErr
}

// membersOf returns members of a list, with the target version in the apiVersion of a typed list.
func (c *Converter) membersOf(
	list *yamldoc.List, listType claims.ListType, members []objectjson.Member,
) []objectjson.Member {
	updated := slices.Clone(members)
	if group, _, _ := strings.Cut(list.APIVersion, "/"); c.Groups.IsClaimList(listType.APIVersion, listType.Kind) {
		for i := range updated {
			if updated[i].Name == "apiVersion" {
				updated[i].Value = objectjson.Quote(group + "/" + c.version)
			}
		}
	}
	return updated
}

// convertItem converts an item of a list: a claim, a list in the list, or an object of another kind.
func (c *Converter) convertItem(in location, item yamldoc.Item, depth int, list claims.ListType) (r Result) {
	object := c.Groups.ObjectOfItem(item, list)
	// JSON may be written as YAML, which must not have duplicate keys.
	if object.IsClaim || object.IsList || !c.InPlace && c.KeepText {
		unique, ok := c.itemWithoutDuplicateKeys(in, item.Object, &r)
		if !ok {
			return r
		}
		if len(unique) < len(item.Object) {
			item.Object = unique
			object = c.Groups.ObjectOfItem(item, list)
		}
	}
	var converted Result
	var isUntyped bool // the type is that of the list
	switch {
	case object.IsClaim:
		converted = c.convertClaim(in, object.TypedJSON)
		isUntyped = c.InPlace // the type that its author omitted is not added
	case object.IsList:
		converted = c.convertInnerList(in, object, depth)
	case (object.Kind == "" || object.APIVersion == "") && list.IsGeneric():
		converted.fail(findings.FromError(c.Input,
			&yamldoc.DocumentError{Position: object.Position, Err: findings.ErrNoType}))
	default:
		converted = c.convertRelated(in, object.APIVersion, object.Kind, object.TypedJSON, object.TypedJSON)
		isUntyped = !c.Groups.HasByName(object.APIVersion)
		if !converted.Changed { // the original text already has or omits the type
			converted.Object, isUntyped = object.Object, false
		}
	}
	r.Include(&converted)
	r.Object = converted.Object
	r.Changed = converted.Changed
	r.Failed = converted.Failed
	if r.duplicate == nil {
		r.duplicate = converted.duplicate
	}
	if !r.Failed && isUntyped && len(object.TypedJSON) > len(object.Object) {
		if members, _, err := objectjson.Members(r.Object); err == nil { // otherwise it keeps its type
			r.Object = without(members, "apiVersion", "kind")
		}
	}
	return r
}

// convertInnerList converts a list that is an item of a list.
func (c *Converter) convertInnerList(in location, object claims.Object, depth int) (r Result) {
	list, err := object.OpenList(depth)
	r.Object = object.TypedJSON
	if err == nil && list != nil {
		r, err = c.convertList(in, list, depth+1)
	}
	if err != nil {
		r.fail(findings.FromError(c.Input, &yamldoc.DocumentError{Position: object.Position, Err: err}))
	}
	return r
}
