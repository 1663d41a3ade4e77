package convert

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
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
	p.log.Locate = d.Locate
	switch {
	case d.IsList():
		return p.wantedList(d)
	case d.Kind == "" || d.APIVersion == "":
		p.log.Document(d, problems.ErrNoType)
		return w, false
	}
	claim := p.groups.Claim(d.APIVersion, d.Kind)
	if !claim && d.Text() != nil && p.out.CanText() { // as most of what a repository holds
		p.documentMentions(d)
		w.object, w.changed = p.wantedOther(d.Position, d.APIVersion, d.Kind, d.Text(), func() ([]byte, error) { return d.Object(false) })
		return w, true
	}
	raw, err := d.Object(p.strict)
	if err != nil {
		p.log.Document(d, err)
		return w, false
	}
	if claim {
		converted, same, ok := p.claim(raw, d.Position)
		return wanted{object: converted, changed: !same, claim: raw}, ok
	}
	if w.object, w.changed = p.wantedOther(d.Position, d.APIVersion, d.Kind, raw, func() ([]byte, error) { return raw, nil }); !w.changed {
		w.object = raw
	}
	return w, true
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
