package convert

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// part of the input, documents or items of a list, and what one goroutine makes of it. It is used again for others.
type part struct {
	*converter
	documents []document
	size      int

	text bytes.Buffer // of the output
	out  *manifest.Writer
	log  problems.Log
	tally
	changes   int // of lists, which are more than their claims that were converted
	compared  compared
	mentioned mentioned
	parsed    *manifest.Document // the one that is looked at
	converted []byte             // the claim that was converted last
}

// document that was read, or why it could not be.
type document struct {
	*manifest.Document
	err  error
	text string // file that is no manifest, to be searched
	item *item
}

// item of a list that is converted while it is read.
type item struct {
	object []byte
	at     manifest.Position
	in     claims.ListType
}

// overhead in bytes of a document or an item: what is kept of it beside its text. It bounds parts of very small ones, and
// of errors.
const overhead = 256

// maxKept in bytes of a buffer is what a part keeps for other input.
const maxKept = 4 * partSize

// part to fill.
func (c *converter) part() *part {
	if p, used := c.parts.Get().(*part); used {
		return p
	}
	p := &part{converter: c}
	p.reset()
	return p
}

// reset makes a part ready for other input, unless it has become too big to be kept.
func (p *part) reset() (kept bool) {
	p.documents, p.size = p.documents[:0], 0
	p.tally, p.compared, p.mentioned, p.parsed = tally{}, compared{}, mentioned{}, nil
	p.text.Reset()
	p.out, p.log = p.output.Part(&p.text), p.logTo(nil)
	p.log.IsPart = true
	return max(p.text.Cap(), cap(p.converted)) <= maxKept
}

// convert all of the part. The error is one of writing; what is wrong with the input is printed.
func (p *part) convert() error {
	for i, d := range p.documents {
		p.documents[i] = document{} // the nodes of YAML are garbage as soon as they are converted
		var err error
		switch {
		case d.err != nil:
			p.unread(d.err)
		case d.text != "":
			p.textMentions(d.text)
		case d.item != nil:
			p.log.Locate = nil // nobody knows where its fields are
			err = p.item(p.out, d.item.object, d.item.at, 1, d.item.in)
		default:
			err = p.document(d.Document)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document converts one document.
func (p *part) document(d *manifest.Document) error {
	if d.IsComment {
		if p.out.CanText() {
			return p.out.Text(d.Text())
		}
		return nil
	}
	if err := d.Parse(); err != nil {
		p.unread(err)
		return nil
	}
	w, ok := p.wanted(d)
	switch {
	case !ok:
		return nil
	case !w.changed && d.Text() != nil && p.out.CanText():
		return p.out.Text(d.Text()) // nothing moved, not even a comment
	case d.Text() != nil && p.out.CanText():
		return p.edited(d, w)
	}
	return p.out.Object(w.object)
}
