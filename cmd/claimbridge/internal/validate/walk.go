package validate

import (
	"errors"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// walk goes to the claims of documents, through the lists in them. What a function returns ends it.
type walk struct {
	groups claims.Groups
	// claim or template, and other objects, with what is known of them.
	claim func(raw []byte, at manifest.Position) error
	other func(at manifest.Position, apiVersion, kind string, h conversion.Header) error
	// broken is a document, or what is at a place in one.
	broken func(d *manifest.Document, at manifest.Position, err error) error
}

// document of an object, or of a list of them.
func (w *walk) document(d *manifest.Document) error {
	if d.IsList() {
		if d.Text() != nil && !claims.AnyList(d.APIVersion, d.Kind) && !w.groups.ClaimList(d.APIVersion, d.Kind) {
			return w.other(d.Position, d.APIVersion, d.Kind, named(d))
		}
		list, err := d.List(true)
		if err != nil {
			return w.broken(d, d.Position, err)
		}
		return w.list(list, d.Position, 1)
	}
	if !w.groups.Claim(d.APIVersion, d.Kind) {
		return w.other(d.Position, d.APIVersion, d.Kind, named(d))
	}
	raw, err := d.Object(true)
	if err != nil {
		return w.broken(d, d.Position, err)
	}
	return w.claim(raw, d.Position)
}

// named is what is known of a document that is not read any further.
func named(d *manifest.Document) conversion.Header {
	if d.Text() == nil {
		raw, _ := d.Object(false)
		h, _ := conversion.ReadHeader(raw) // what it does not say is left out
		return h
	}
	return conversion.Header{Namespace: d.Namespace, Name: d.Name}
}

func (w *walk) list(list *manifest.List, at manifest.Position, depth int) error {
	is := claims.TypeOfList(list)
	for {
		item, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return w.broken(nil, at, err)
		}
		raw := item.Object
		if w.groups.ClaimList(is.APIVersion, is.Kind) {
			raw = claims.Typed(raw, is)
		}
		if err := w.item(raw, item.Position, depth, is); err != nil {
			return err
		}
	}
}

func (w *walk) item(raw []byte, at manifest.Position, depth int, in claims.ListType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	switch {
	case w.groups.Claim(apiVersion, kind):
		return w.claim(raw, at)
	case !claims.AnyList(apiVersion, kind) && !w.groups.ClaimList(apiVersion, kind):
		apiVersion, kind := manifest.TypeOf(claims.Typed(raw, in))
		h, _ := conversion.ReadHeader(raw) // what it does not say is left out
		return w.other(at, apiVersion, kind, h)
	case depth == claims.MaxLists:
		return w.broken(nil, at, claims.ErrLists)
	}
	inner, err := manifest.ListOf(raw, at)
	switch {
	case err != nil:
		return w.broken(nil, at, err)
	case inner == nil:
		return w.other(at, apiVersion, kind, conversion.Header{})
	}
	return w.list(inner, at, depth+1)
}
