package migrate

import (
	"cmp"
	"errors"
	"sync"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// What becomes of a document, step by step:
//
//	read     manifest finds and parses it; what is no object is looked through as a text (unread.go, left.go)
//	find     is it a claim, a list (lists.go), or another object (others.go)?
//	convert  a claim (claim.go), unless something speaks against it (doubts.go, leftovers.go, toolarge.go,
//	         deallocation.go)
//	fix      what changes with claims in other objects (pods.go, kinds.go), and claims that stand in them (inner.go)
//	look     for what a person has to change (survey.go, patches.go, moved.go)
//	edit     its own text (spliced.go)
//	write    it to the stream (stream.go), or into its file (edit.go, places.go), in the order of the input (pipeline.go)
//	tell     what there is to say (found.go, part.go), and what is known when all is read (compared.go, same.go)
//
// What is found, and what it is to become, is in found.go and tree.go, and whoever works has a part
// (part.go) of a converter (converter.go).

// document of a stream: it is parsed, converted, and edited or written anew. In its file that is done by edit.
func (p *part) document(d *yamldoc.Document) error {
	isText := d.Text != nil && p.out.CanText()
	if d.IsComment {
		if isText {
			return p.out.Text(d.Text)
		}
		return nil
	}
	if err := d.Parse(); err != nil {
		p.unread(err)
		return nil
	}
	if p.isOnlyForKustomize(d) {
		return nil
	}
	w, ok := p.wanted(d)
	switch {
	case !ok:
		return nil
	case isText && !w.changed:
		return p.out.Text(d.Text) // nothing moved, not even a comment
	case isText:
		return p.edited(d, w)
	}
	return p.out.Object(w.object)
}

// inFile is what a document of a file is to become, or one that could not be read, if it is an object.
func (p *part) inFile(e *edit, d *yamldoc.Document, err error, text []byte) (w wanted, isObject bool) {
	if bad, ok := errors.AsType[*yamldoc.NotObjectError](err); ok {
		if w, isPatch := p.patchFile(bad); isPatch {
			return w, true
		}
		if w, isReplacements := p.replacementsFile(bad); isReplacements {
			return w, true
		}
	}
	switch {
	case err != nil:
		p.unreadable(e, d, err, text)
		return w, false
	case isTemplate(d):
		p.template(e, d)
		return w, true
	case p.isElided(d):
		return w, false
	case d.IsList() || d.APIVersion != "" && d.Kind != "":
		w, _ = p.wanted(d)
		return w, true
	}
	return p.untyped(e, d), false
}

// wanted is the one way from a document that was parsed to what is written of it, be it to a stream
// or into its file. When it is not ok, the reason was printed.
func (p *part) wanted(d *yamldoc.Document) (w wanted, ok bool) {
	p.log.Locate, p.parsed = d.Locate, d
	switch {
	case d.IsList():
		return p.wantedList(d)
	case d.Kind == "" || d.APIVersion == "":
		return w, p.isRead(d, problems.ErrNoType)
	case !p.Groups.Claim(d.APIVersion, d.Kind):
		return p.wantedDocument(d)
	}
	raw, twice, err := p.objectOf(d, p.Strict)
	if !p.isRead(d, err) {
		return w, false
	}
	convert := p.claim
	if p.patches.Has(d.File) {
		convert = p.claimPatch
	}
	if converted, same, ok := convert(raw, d.Position); ok {
		return wanted{object: converted, changed: !same || twice != nil, was: raw, twice: twice}, true
	}
	return w, false
}

// isRead prints why a document could not be.
func (p *part) isRead(d *yamldoc.Document, err error) bool {
	if err != nil {
		p.log.Document(d, err)
	}
	return err == nil
}

// wantedList is what a list in memory is to become. An item that fails is left out.
func (p *part) wantedList(d *yamldoc.Document) (w wanted, ok bool) {
	p.twice = nil
	if !p.Strict && d.Node != nil {
		_, p.twice, _ = p.objectOf(d, false)
	}
	list, err := d.List(p.Strict && d.Node != nil && p.Groups.List(d.APIVersion, d.Kind))
	if !p.isRead(d, err) {
		return w, false
	}
	before := p.changes + p.log.Failed
	object, broken := p.list(list, 1)
	if broken != nil {
		p.log.Document(d, broken)
	}
	w.twice = p.twice
	if w.object, w.changed = object, p.changes+p.log.Failed > before || w.twice != nil; w.changed {
		w.was, _ = d.Object(false) // it was read as one
	}
	return w, true
}

// wantedDocument returns what a document of another kind is to become.
func (p *part) wantedDocument(d *yamldoc.Document) (w wanted, ok bool) {
	text := d.Text
	if text == nil || !p.out.CanText() {
		raw, err := d.Object(p.Strict && text != nil)
		if text == nil && p.inPlace == nil && p.out.CanText() { // YAML cannot have a key twice
			raw, _, err = p.objectOf(d, p.Strict)
		}
		if !p.isRead(d, err) {
			return w, false
		}
		w.object, text = raw, raw
	}
	object, changed, ok := p.other(d.Position, d.APIVersion, d.Kind, text, nil)
	if changed {
		return wanted{object: object, changed: true}, true
	}
	return w, ok
}

// objectOf a document. Where that is not an error, of a key that is duplicated the last one
// counts, with a warning: the API server may refuse it.
func (p *part) objectOf(d *yamldoc.Document, strict bool) (object []byte, twice, err error) {
	object, err = d.Once(p.tellTwice(&twice, strict, d.Position, func() conversion.Header {
		return problems.HeaderOf(d)
	}))
	if strict {
		return object, nil, cmp.Or(err, twice)
	}
	return object, twice, err
}

// once is objectOf for an item of a list of JSON, which is not ok where that is an error.
func (p *part) once(item yamldoc.Item) (object []byte, ok bool) {
	var twice error
	header := (&claim{raw: item.Object}).header
	object = yamldoc.Once(item.Object, p.tellTwice(&twice, p.Strict, item.Position, header))
	if twice != nil && p.Strict {
		p.log.Object(item.Position, header(), twice)
		return nil, false
	}
	p.twice = cmp.Or(p.twice, twice)
	return object, true
}

// tellTwice keeps the first key of an object that is duplicated, and warns of each where that is
// not an error. The header is read for the first.
func (p *part) tellTwice(first *error, strict bool, at yamldoc.Position,
	header func() conversion.Header,
) func(*yamldoc.PlaceError) {
	header = sync.OnceValue(header)
	return func(e *yamldoc.PlaceError) {
		if *first = cmp.Or(*first, error(e)); !strict {
			p.log.Warn(at, header(), problems.Twice(e))
		}
	}
}
