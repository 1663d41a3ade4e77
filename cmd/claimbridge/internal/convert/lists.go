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

// convertList converts the items of a list in memory one by one. It is written to its end even where it is broken.
func (p *part) convertList(list *manifest.List, out *manifest.Writer, depth int) (broken, err error) {
	is := claims.TypeOfList(list)
	ours := p.groups.ClaimList(is.APIVersion, is.Kind)
	if ours && !strings.HasSuffix(is.APIVersion, "/"+p.to) {
		p.changes++
	}
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
func (p *part) item(out *manifest.Writer, raw []byte, at manifest.Position, depth int, in claims.ListType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	untyped := apiVersion == "" && kind == "" && p.groups.ClaimList(in.APIVersion, in.Kind)
	if untyped {
		raw = claims.Typed(raw, in)
		apiVersion, kind = manifest.TypeOf(raw)
	}
	var ok bool
	switch {
	case p.groups.Claim(apiVersion, kind):
		var same bool
		if raw, same, ok = p.claim(raw, at); ok && !same {
			p.changes++
		}
	case claims.AnyList(apiVersion, kind) || p.groups.ClaimList(apiVersion, kind):
		raw, ok = p.innerList(raw, at, depth)
	case (kind == "" || apiVersion == "") && in.Any():
		p.log.Error(&manifest.DocumentError{Position: at, Err: problems.ErrNoType})
		return nil
	default:
		raw, ok = p.wantedItem(raw, at, in)
	}
	if !ok {
		return nil
	}
	if untyped && p.inFiles { // what its author left out stays out
		raw = withoutType(raw)
	}
	return out.Item(raw)
}

// wantedItem is what an item of another kind of a list is to become. One that leaves its type to the list goes on doing so, unless
// the list stays in another version.
func (p *part) wantedItem(raw []byte, at manifest.Position, in claims.ListType) (item []byte, ok bool) {
	whole := claims.Typed(raw, in)
	apiVersion, kind := manifest.TypeOf(whole)
	wanted, changed, ok := p.wantedOther(at, apiVersion, kind, whole, func() ([]byte, error) { return whole, nil })
	if !changed {
		return raw, ok
	}
	p.changes++
	if len(whole) == len(raw) || p.groups.Names(apiVersion) {
		return wanted, true
	}
	return withoutType(wanted), true
}

// withoutType is an item that leaves its type to the list.
func withoutType(item []byte) []byte {
	members, _, err := kjson.Members(item)
	if err != nil {
		return item // with its type, which says the same
	}
	return without(members, "apiVersion", "kind")
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
