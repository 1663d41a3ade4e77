package convert

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// documentList converts the items of a list in place.
func (p *part) documentList(d *manifest.Document) error {
	if d.Text() != nil && p.out.CanText() {
		concerns, err := p.concerns(d)
		if err == nil && !concerns {
			if err := p.passesList(d); err != nil {
				return err
			}
			return p.out.Text(d.Text())
		}
	}
	list, err := d.List(p.strict)
	if err != nil {
		p.log.Document(d, err)
		return nil
	}
	broken, err := p.convertList(list, p.out, 1)
	if err != nil {
		return err
	}
	if broken != nil {
		p.log.Document(d, broken)
	}
	return nil
}

// concerns reports whether a list holds a claim that is meant, a list that may, or what is no object.
func (p *part) concerns(d *manifest.Document) (bool, error) {
	if p.groups.ClaimList(d.APIVersion, d.Kind) {
		return true, nil
	}
	if !claims.AnyList(d.APIVersion, d.Kind) {
		return false, nil
	}
	list, err := d.List(p.strict)
	if err != nil {
		return false, err
	}
	for {
		item, err := list.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return false, nil
			}
			return false, err
		}
		apiVersion, kind := manifest.TypeOf(item.Object)
		if apiVersion == "" || kind == "" || p.groups.Claim(apiVersion, kind) || strings.HasSuffix(kind, "List") {
			return true, nil
		}
	}
}

// convertList converts the items of a list in memory one by one. It is written to its end even where it is broken.
func (p *part) convertList(list *manifest.List, out manifest.Writer, depth int) (broken, err error) {
	is := claims.TypeOfList(list)
	ours := p.groups.ClaimList(is.APIVersion, is.Kind)
	if err := out.OpenList(p.members(list, list.Before, ours)); err != nil {
		return nil, err
	}
	for {
		item, err := list.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				broken = err
			}
			break
		}
		if err := p.item(out, item.Object, item.Position, depth, is); err != nil {
			return nil, err
		}
	}
	return broken, out.CloseList(p.members(list, list.After, ours))
}

// members of a list, with the version of a typed one set.
func (c *converter) members(list *manifest.List, members []manifest.Member, ours bool) []manifest.Member {
	if !ours {
		return members
	}
	group, _, _ := strings.Cut(list.APIVersion, "/")
	set := make([]manifest.Member, len(members))
	for i, m := range members {
		if m.Name == "apiVersion" {
			m.Value = kjson.Quote(group + "/" + c.to)
		}
		set[i] = m
	}
	return set
}

// item converts an item of a list: a claim, a list in the list, or what passes through.
func (p *part) item(out manifest.Writer, raw []byte, at manifest.Position, depth int, in claims.ListType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	if apiVersion == "" && kind == "" && p.groups.ClaimList(in.APIVersion, in.Kind) {
		raw = claims.Typed(raw, in)
		apiVersion, kind = manifest.TypeOf(raw)
	}
	ok := true
	switch {
	case p.groups.Claim(apiVersion, kind):
		raw, _, ok = p.claim(raw, at)
	case claims.AnyList(apiVersion, kind) || p.groups.ClaimList(apiVersion, kind):
		raw, ok = p.innerList(raw, at, depth)
	case (kind == "" || apiVersion == "") && in.Any():
		p.log.Error(&manifest.DocumentError{Position: at, Err: problems.ErrNoType})
		return nil
	default:
		p.passesItem(raw, at, in)
	}
	if !ok {
		return nil
	}
	return out.Item(raw)
}

// passesItem looks at an item of a list that passes through as it is.
func (p *part) passesItem(raw []byte, at manifest.Position, in claims.ListType) {
	whole := claims.Typed(raw, in)
	apiVersion, kind := manifest.TypeOf(whole)
	p.passes(at, apiVersion, kind, whole, func() ([]byte, error) { return whole, nil })
}

// passesList looks at a list in memory that passes through as it is. It has no claims and no lists, and is not broken.
func (p *part) passesList(d *manifest.Document) error {
	list, err := d.List(false)
	if err != nil {
		return err
	}
	for {
		item, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		p.passesItem(item.Object, item.Position, claims.TypeOfList(list))
	}
}

// innerList converts a list that is an item of a list. When it is not ok, the reason was printed.
func (p *part) innerList(raw []byte, at manifest.Position, depth int) (converted []byte, ok bool) {
	before := p.tally
	failed := func(err error) ([]byte, bool) {
		p.tally = before // nothing of it is written
		p.log.Error(&manifest.DocumentError{Position: at, Err: err})
		return nil, false
	}
	if depth == claims.MaxLists {
		return failed(claims.ErrLists)
	}
	inner, err := manifest.ListOf(raw, at)
	if err != nil {
		return failed(err)
	}
	if inner == nil {
		return raw, true
	}
	var b bytes.Buffer
	out, err := manifest.NewWriter(&b, "json")
	if err != nil {
		return failed(err)
	}
	broken, err := p.convertList(inner, out, depth+1)
	if err != nil {
		return failed(err)
	}
	if broken != nil {
		return failed(broken)
	}
	if err := out.Flush(); err != nil {
		return failed(err)
	}
	return b.Bytes(), true
}
