package convert

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// wanted is what a document is to become.
type wanted struct {
	object  []byte // as JSON, valid until the next one; there may be none when it stays as it is, and texts can be written
	changed bool
	claim   []byte // what it was, as JSON, if it is a claim
	list    []byte // the same of a list with claims in it
}

// wanted is the one way from a document that was parsed to what is written of it, be it to a stream or into its file. When it is not
// ok, the reason was printed.
func (p *part) wanted(d *manifest.Document) (w wanted, ok bool) {
	p.log.Locate, p.parsed = d.Locate, d
	switch {
	case d.IsList():
		return p.wantedList(d)
	case d.Kind == "" || d.APIVersion == "":
		p.log.Document(d, problems.ErrNoType)
		return w, false
	}
	if !p.groups.Claim(d.APIVersion, d.Kind) {
		return p.wantedDocument(d)
	}
	raw, err := d.Object(p.strict)
	if err != nil {
		p.log.Document(d, err)
		return w, false
	}
	converted, same, ok := p.claim(raw, d.Position)
	return wanted{object: converted, changed: !same, claim: raw}, ok
}

// wantedDocument is what one of another kind is to become. What else names a version in it than what
// was found is a mention.
func (p *part) wantedDocument(d *manifest.Document) (w wanted, ok bool) {
	text, before, said := d.Text(), p.log.Warnings+p.log.Failed, len(p.log.Said)
	if text == nil || !p.out.CanText() {
		raw, err := d.Object(p.strict)
		if err != nil {
			p.log.Document(d, err)
			return w, false
		}
		w.object, text = raw, raw
	}
	object, changed, ok := p.wantedOther(d.Position, d.APIVersion, d.Kind, text, func() ([]byte, error) { return p.objectOf(d) })
	if changed {
		return wanted{object: object, changed: true}, true
	}
	// Classes are told at the end. Of JSON nobody knows on which line a finding is.
	if nothing := p.log.Warnings+p.log.Failed == before; !p.isClass(d.APIVersion, d.Kind) && (nothing || d.Node() != nil) {
		line := d.FirstLine()
		if text = d.Text(); text == nil { // JSON in its file
			text, _, _ = d.Source()
			line = d.Line
		}
		p.mentions(d.File, d.Document, line, text, nil, p.log.Said[said:]...)
	}
	return w, ok
}

// wantedList is what a list in memory is to become. An item that fails is left out.
func (p *part) wantedList(d *manifest.Document) (w wanted, ok bool) {
	list, err := d.List(p.strict && (claims.AnyList(d.APIVersion, d.Kind) || p.groups.ClaimList(d.APIVersion, d.Kind)))
	if err != nil {
		p.log.Document(d, err)
		return w, false
	}
	var b bytes.Buffer
	out, err := manifest.NewWriter(&b, "json")
	if err == nil {
		before := p.changes + p.log.Failed
		var broken error
		if broken, err = p.convertList(list, out, 1); broken != nil {
			p.log.Document(d, broken)
		}
		w.changed = p.changes+p.log.Failed > before
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil { // none that a buffer has
		p.log.Document(d, err)
		return w, false
	}
	w.object = b.Bytes()
	if w.changed {
		w.list, _ = d.Object(false) // it was read as one
	}
	return w, true
}

// objectOf a document of another kind. Of a field that is there twice the last one counts, and the API server may refuse it.
func (p *part) objectOf(d *manifest.Document) ([]byte, error) {
	object, err := d.Object(true)
	if err == nil {
		return object, nil
	}
	if object, again := d.Object(false); again == nil {
		p.log.Warn(d.Position, problems.HeaderOf(d), problems.What{Rule: finding.DuplicateField, Text: err.Error()})
		return object, nil
	}
	return nil, err
}
