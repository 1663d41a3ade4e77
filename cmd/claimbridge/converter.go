package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// maxLists is how deep lists may be nested in lists. kubectl writes them one deep; each level is read again.
const maxLists = 8

// converter converts documents and writes them.
type converter struct {
	to              string
	groups          groups
	strict, explain bool
	out             manifest.Writer
	problems        problems
	read            int // documents
	// objects counts claims and templates while they are converted.
	objects *atomic.Int64
}

// document converts one document. The error is one of writing; what is wrong with the document is told.
func (c *converter) document(d *manifest.Document) error {
	c.read++
	if d.IsList() {
		return c.documentList(d)
	}
	if d.Kind == "" || d.APIVersion == "" {
		c.problems.document(d, errNoType)
		return nil
	}
	if d.Text() != nil && !c.groups.claim(d.APIVersion, d.Kind) {
		return c.verbatim(d)
	}
	raw, err := d.Object(c.strict)
	if err != nil {
		c.problems.document(d, err)
		return nil
	}
	if !c.groups.claim(d.APIVersion, d.Kind) {
		return c.out.Object(raw)
	}
	converted, ok := c.claim(raw, d.Position)
	switch {
	case !ok:
		return nil
	case bytes.Equal(raw, converted) && d.Text() != nil && c.out.CanText():
		return c.out.Text(d.Text()) // it has that version: nothing moved, not even a comment
	}
	return c.out.Object(converted)
}

var errNoType = errors.New("is not an object of Kubernetes: apiVersion and kind must be set")

var errLists = fmt.Errorf("lists are nested more than %d deep", maxLists)

// verbatim writes a document of YAML as it is, in the output's format.
func (c *converter) verbatim(d *manifest.Document) error {
	if c.out.CanText() {
		return c.out.Text(d.Text())
	}
	raw, err := d.Object(c.strict)
	if err != nil {
		c.problems.document(d, err)
		return nil
	}
	return c.out.Object(raw)
}

// claim converts one claim or template. When it is not ok, why was told.
func (c *converter) claim(raw []byte, at manifest.Position) (converted []byte, ok bool) {
	header, err := conversion.ReadHeader(raw)
	if err == nil && header.Version == c.to && c.strict {
		err = decodesStrictly(raw, header)
	}
	if err != nil {
		c.problems.object(at, header, err)
		return nil, false
	}
	c.objects.Add(1)
	converted, report, err := conversion.JSON(raw, c.to, conversion.Options{Strict: c.strict, AnnotationsOnly: true, Carried: c.explain})
	if err == nil && report.Incomplete != "" && c.strict {
		err = fmt.Errorf("%s: what %s has no field for is more than annotations may hold; convert it to a version that has the fields, or drop it with --validate=false", report.Incomplete, c.to)
	}
	if err != nil {
		c.problems.object(at, header, err)
		return nil, false
	}
	c.tell(at, header, report)
	if c.explain {
		c.tellMoves(at, header, raw, report)
	}
	return converted, true
}

// tell what got lost.
func (c *converter) tell(at manifest.Position, h conversion.Header, report conversion.Report) {
	for _, field := range report.Unknown {
		c.problems.note(at, h, "warning: "+field+": dropped: "+unknownField(h.Version, field))
	}
	for _, field := range report.Lost {
		c.problems.note(at, h, "warning: "+field+": dropped, "+c.to+" has no place for it")
	}
	for _, leftover := range report.Ignored {
		c.problems.note(at, h, "warning: leftover ignored: "+leftover)
	}
	if report.Incomplete != "" {
		c.problems.note(at, h, "warning: "+report.Incomplete+": leftovers dropped, annotations have no room for them; do not write this copy back")
	}
}

// tellMoves tells what went where.
func (c *converter) tellMoves(at manifest.Position, h conversion.Header, raw []byte, report conversion.Report) {
	if h.Version == c.to {
		c.problems.note(at, h, "has version "+c.to+" already")
		return
	}
	c.problems.note(at, h, h.Version+" to "+c.to)
	moves, err := conversion.Explain(raw, c.to)
	for _, move := range moves {
		fmt.Fprintf(c.problems.w, "  moved    %s\n", move)
	}
	if err != nil { // it was converted, so this is for the intermediate versions only
		fmt.Fprintf(c.problems.w, "  and more: %v\n", err)
	}
	for _, leftover := range report.Carried {
		fmt.Fprintf(c.problems.w, "  carried  %s\n", leftover)
	}
}

// documentList converts the items of a list in place.
func (c *converter) documentList(d *manifest.Document) error {
	if d.Text() != nil && c.out.CanText() {
		concerns, err := c.concerns(d)
		if err == nil && !concerns {
			return c.out.Text(d.Text())
		}
	}
	list, err := d.List(c.strict)
	if err != nil {
		c.problems.document(d, err)
		return nil
	}
	var broken error
	if err := c.list(list, c.out, 1, func(err error) { broken = err }); err != nil {
		return err
	}
	if broken != nil {
		c.problems.document(d, broken)
	}
	return nil
}

// concerns tells whether a list holds a claim that is meant.
func (c *converter) concerns(d *manifest.Document) (bool, error) {
	if c.groups.claimList(d.APIVersion, d.Kind) {
		return true, nil
	}
	if !anyList(d.APIVersion, d.Kind) {
		return false, nil
	}
	list, err := d.List(c.strict)
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
		if apiVersion, kind := manifest.TypeOf(item.Object); c.groups.claim(apiVersion, kind) || strings.HasSuffix(kind, "List") {
			return true, nil
		}
	}
}

// list converts items one by one. What cannot be read of it is given to broken; the list is written to its end all
// the same.
func (c *converter) list(list *manifest.List, out manifest.Writer, depth int, broken func(error)) error {
	ours := c.groups.claimList(list.APIVersion, list.Kind)
	if err := out.OpenList(c.members(list, list.Before, ours)); err != nil {
		return err
	}
	for {
		item, err := list.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				broken(err)
			}
			break
		}
		raw := item.Object
		if ours {
			raw = typed(raw, list)
		}
		if raw, ok := c.item(raw, item.Position, depth, list); ok {
			if err := out.Item(raw); err != nil {
				return err
			}
		}
	}
	return out.CloseList(c.members(list, list.After, ours))
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
			m.Value = manifest.Quote(group + "/" + c.to)
		}
		set[i] = m
	}
	return set
}

// item converts an item of a list: a claim, a list in the list, or what passes through. When it is not ok, why was told.
func (c *converter) item(raw []byte, at manifest.Position, depth int, in *manifest.List) (converted []byte, ok bool) {
	apiVersion, kind := manifest.TypeOf(raw)
	switch {
	case c.groups.claim(apiVersion, kind):
		return c.claim(raw, at)
	case anyList(apiVersion, kind) || c.groups.claimList(apiVersion, kind):
		return c.innerList(raw, at, depth)
	case (kind == "" || apiVersion == "") && in.Kind == "List":
		c.problems.read(&manifest.DocumentError{Position: at, Err: errNoType})
		return nil, false
	}
	return raw, true
}

// innerList converts a list that is an item of a list. When it is not ok, why was told.
func (c *converter) innerList(raw []byte, at manifest.Position, depth int) (converted []byte, ok bool) {
	failed := func(err error) ([]byte, bool) {
		c.problems.read(&manifest.DocumentError{Position: at, Err: err})
		return nil, false
	}
	if depth == maxLists {
		return failed(errLists)
	}
	inner, err := manifest.ListOf(raw, at)
	if err != nil {
		return failed(err)
	}
	if inner == nil {
		return raw, true
	}
	var b bytes.Buffer
	w, err := manifest.NewWriter(&b, "json")
	if err != nil {
		return failed(err)
	}
	var broken error
	if err := c.list(inner, w, depth+1, func(err error) { broken = err }); err != nil {
		return failed(err)
	}
	if broken != nil {
		return failed(broken)
	}
	if err := w.Flush(); err != nil {
		return failed(err)
	}
	return b.Bytes(), true
}
