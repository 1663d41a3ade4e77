package validate

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// validator judges documents and writes verdicts.
type validator struct {
	Options
	old     oldObjects
	out     verdicts
	log     problems.Log
	patches kustomization.Patches

	judged, refused int
}

// unreadable is what could not be read as an object.
func (v *validator) unreadable(err error) {
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok && e.IsJSONPatch() {
		err = problems.SkippedPatch(e)
	}
	v.log.Error(err)
}

// document judges a document, or the items of a list. The error is one of writing.
func (v *validator) document(d *manifest.Document) error {
	failed := func(err error) error {
		v.log.Document(d, err)
		return nil
	}
	v.log.Locate, v.out.locate = d.Locate, d.Locate
	if d.IsList() {
		if d.Text() != nil && !claims.AnyList(d.APIVersion, d.Kind) && !v.Groups.ClaimList(d.APIVersion, d.Kind) {
			return v.skip(d.Position, d.APIVersion, d.Kind, named(d))
		}
		list, err := d.List(true)
		if err != nil {
			return failed(err)
		}
		return v.list(list, d.Position, 1)
	}
	switch {
	case d.Kind == "" || d.APIVersion == "":
		return failed(problems.ErrNoType)
	case !v.Groups.Claim(d.APIVersion, d.Kind):
		return v.skip(d.Position, d.APIVersion, d.Kind, named(d))
	}
	raw, err := d.Object(true)
	if err != nil {
		return failed(err)
	}
	return v.object(raw, d.Position)
}

func (v *validator) skip(at manifest.Position, apiVersion, kind string, h conversion.Header) error {
	if rule, why, passed := problems.PassedOver(v.Groups, apiVersion, kind); passed {
		h.Kind = kind
		if rule.About().Severity == finding.Error {
			v.log.Refuse(at, h, []problems.What{{Rule: rule, Text: why}})
			return nil
		}
		v.log.Advise(at, h, problems.What{Rule: rule, Text: "is skipped: " + why})
	} else if v.Verbose {
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", at, cmp.Or(kind, "no kind"), cmp.Or(apiVersion, "no apiVersion"))
		fmt.Fprintln(v.log.W, finding.Printable(text))
	}
	return nil
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

func (v *validator) list(list *manifest.List, at manifest.Position, depth int) error {
	ours := v.Groups.ClaimList(list.APIVersion, list.Kind)
	for {
		item, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			v.log.Error(&manifest.DocumentError{Position: at, Err: err})
			return nil //nolint:nilerr // it was printed, and the rest goes on
		}
		raw := item.Object
		if ours {
			raw = claims.Typed(raw, claims.TypeOfList(list))
		}
		if err := v.item(raw, item.Position, depth, claims.TypeOfList(list)); err != nil {
			return err
		}
	}
}

func (v *validator) item(raw []byte, at manifest.Position, depth int, in claims.ListType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	switch {
	case v.Groups.Claim(apiVersion, kind):
		return v.object(raw, at)
	case !claims.AnyList(apiVersion, kind) && !v.Groups.ClaimList(apiVersion, kind):
		apiVersion, kind := manifest.TypeOf(claims.Typed(raw, in))
		h, _ := conversion.ReadHeader(raw) // what it does not say is left out
		return v.skip(at, apiVersion, kind, h)
	case depth == claims.MaxLists:
		v.log.Error(&manifest.DocumentError{Position: at, Err: claims.ErrLists})
		return nil
	}
	inner, err := manifest.ListOf(raw, at)
	switch {
	case err != nil:
		v.log.Error(&manifest.DocumentError{Position: at, Err: err})
	case inner == nil:
		return v.skip(at, apiVersion, kind, conversion.Header{})
	default:
		return v.list(inner, at, depth+1)
	}
	return nil //nolint:nilerr // it was printed, and the rest goes on
}
