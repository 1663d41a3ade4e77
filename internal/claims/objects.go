package claims

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Object is an object of an input, with its role in a search for claims.
type Object struct {
	yamldoc.Item            // as written; it has no JSON if it is YAML and not a claim
	APIVersion, Kind string // of the object or its list; may be empty
	TypedJSON        []byte // the object with apiVersion and kind, which an item of a typed list omits
	IsClaim, IsList  bool
	Document         *yamldoc.Document // nil for an item of a list
}

// ObjectOfItem returns the object of a list item. An item of a typed list gets its type from the list, because the API
// server omits it there.
func (g Groups) ObjectOfItem(item yamldoc.Item, listType ListType) Object {
	o := Object{Item: item, TypedJSON: item.Object}
	o.APIVersion, o.Kind = yamldoc.TypeOf(o.TypedJSON)
	if o.Kind == "" && o.APIVersion == "" && !listType.IsGeneric() {
		o.TypedJSON = yamldoc.Prepend(o.TypedJSON, []objectjson.Member{
			{Name: "apiVersion", Value: objectjson.Quote(listType.APIVersion)},
			{Name: "kind", Value: objectjson.Quote(strings.TrimSuffix(listType.Kind, "List"))},
		})
		o.APIVersion, o.Kind = yamldoc.TypeOf(o.TypedJSON)
	}
	o.IsClaim = g.IsClaim(o.APIVersion, o.Kind)
	o.IsList = g.IsList(o.APIVersion, o.Kind)
	return o
}

// OpenList returns the object as a list, or nil if it is not one. depth is the number of lists around it.
func (o Object) OpenList(depth int) (*yamldoc.List, error) {
	switch {
	case !o.IsList:
		return nil, nil
	case depth == MaxNesting:
		return nil, fmt.Errorf("lists are nested more than %d levels deep", MaxNesting)
	}
	return yamldoc.ListOf(o.TypedJSON, o.Position)
}

// Objects returns the claims and other objects of a document, including those in its lists. It yields an error with the
// object that cannot be read, or with the position of the list that cannot be read.
func (g Groups) Objects(d *yamldoc.Document) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		o := Object{
			Item:       yamldoc.Item{Position: d.Position},
			APIVersion: d.APIVersion,
			Kind:       d.Kind,
			IsClaim:    g.IsClaim(d.APIVersion, d.Kind),
			Document:   d,
		}
		var err error
		isJSON := d.IsJSON()
		switch {
		case d.IsList() && (isJSON || g.IsList(d.APIVersion, d.Kind)):
			var list *yamldoc.List
			list, err = d.List(!isJSON)
			if err == nil {
				// Duplicate keys of JSON are reported when an object is decoded.
				g.yieldItems(list, d.Position, 1, yield)
				return
			}
		case o.IsClaim || isJSON:
			o.Object, err = d.Object(!isJSON)
			o.TypedJSON = o.Object
		}
		yield(o, err)
	}
}

func (g Groups) yieldItems(list *yamldoc.List, at yamldoc.Position, depth int,
	yield func(Object, error) bool,
) (more bool) {
	listType := ListType{list.APIVersion, list.Kind}
	item, err := list.Next()
	for more = true; more && err == nil; item, err = list.Next() {
		o := g.ObjectOfItem(item, listType)
		nested, openErr := o.OpenList(depth)
		if nested != nil {
			more = g.yieldItems(nested, o.Position, depth+1, yield)
		} else {
			more = yield(o, openErr)
		}
	}
	if more && !errors.Is(err, io.EOF) {
		more = yield(Object{Item: yamldoc.Item{Position: at}}, err)
	}
	return more
}
