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
	items     []item
	data      []byte // of the items
	list      claims.ListType
	size      int

	text bytes.Buffer // of the output
	out  manifest.Writer
	said bytes.Buffer // on stderr
	log  problems.Log
	tally
	classes   foundClasses
	converted []byte // the claim that was converted last
}

// document that was read, or why it could not be.
type document struct {
	*manifest.Document
	err error
}

// item of a list: where it is, and where it ends in the data.
type item struct {
	at  manifest.Position
	end int
}

// overhead in bytes of a document or an item: what is kept of it beside its text. It bounds parts of very small ones, and
// of errors.
const overhead = 256

// maxKept in bytes of a buffer is what a part keeps for other input.
const maxKept = 4 * partSize

func newPart(c *converter) *part {
	p := &part{converter: c}
	p.reset()
	return p
}

// reset makes a part ready for other input, unless it has become too big to be kept.
func (p *part) reset() (kept bool) {
	p.documents, p.items, p.data, p.size = p.documents[:0], p.items[:0], p.data[:0], 0
	p.tally, p.classes = tally{}, foundClasses{}
	p.text.Reset()
	p.said.Reset()
	p.out, p.log = p.output.Part(&p.text), problems.Log{W: &p.said, All: p.explain, Full: &p.full}
	return max(cap(p.data), p.text.Cap(), p.said.Cap(), cap(p.converted)) <= maxKept
}

func (p *part) add(d document, size int) {
	p.documents = append(p.documents, d)
	p.size += size + overhead
}

// addItem keeps a copy of an item.
func (p *part) addItem(i manifest.Item, list claims.ListType) {
	p.data = append(p.data, i.Object...)
	p.items = append(p.items, item{i.Position, len(p.data)})
	p.list, p.size = list, p.size+len(i.Object)+overhead
}

// convert all of the part. The error is one of writing; what is wrong with the input is printed.
func (p *part) convert() error {
	for i, d := range p.documents {
		p.documents[i] = document{} // the nodes of YAML are garbage as soon as they are converted
		if d.err != nil {
			p.log.Error(d.err)
		} else if err := p.document(d.Document); err != nil {
			return err
		}
	}
	begin := 0
	for _, i := range p.items {
		if err := p.item(p.out, p.data[begin:i.end:i.end], i.at, 1, p.list); err != nil {
			return err
		}
		begin = i.end
	}
	return nil
}

// document converts one document.
func (p *part) document(d *manifest.Document) error {
	if err := d.Parse(); err != nil {
		p.log.Error(err)
		return nil
	}
	if d.IsList() {
		return p.documentList(d)
	}
	if d.Kind == "" || d.APIVersion == "" {
		p.log.Document(d, problems.ErrNoType)
		return nil
	}
	claim := p.groups.Claim(d.APIVersion, d.Kind)
	if !claim && d.Text() != nil && p.out.CanText() {
		p.passes(d.Position, d.APIVersion, d.Kind, d.Text(), func() ([]byte, error) { return d.Object(false) })
		return p.out.Text(d.Text())
	}
	raw, err := d.Object(p.strict)
	if err != nil {
		p.log.Document(d, err)
		return nil
	}
	if !claim {
		p.passes(d.Position, d.APIVersion, d.Kind, raw, func() ([]byte, error) { return raw, nil })
		return p.out.Object(raw)
	}
	converted, same, ok := p.claim(raw, d.Position)
	switch {
	case !ok:
		return nil
	case same && d.Text() != nil && p.out.CanText():
		return p.out.Text(d.Text()) // nothing moved, not even a comment
	}
	return p.out.Object(converted)
}
