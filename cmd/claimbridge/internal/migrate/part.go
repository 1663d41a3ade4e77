package migrate

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// part of the input, documents or items of a list, and what one goroutine makes of it.
type part struct {
	*converter
	told
	work []func(*part) error // to do in its order; the error is one of writing, what is wrong with the input is printed
	size int

	text      bytes.Buffer // of the output
	out       *yamldoc.Writer
	changes   int               // of lists, which are more than their claims that were converted
	parsed    *yamldoc.Document // the one that is looked at
	nested    int               // objects that stand in one another
	twice     error             // a key that is duplicated in the list that is read, of which the last one counts
	converted []byte            // the claim that was converted last
}

// overhead in bytes of a document or an item: what is kept of it beside its text. It bounds parts
// of very small ones, and of errors.
const overhead = 256

// part to fill.
func (c *converter) part() *part {
	p := &part{converter: c, told: told{log: c.logTo(nil)}}
	p.out, p.log.IsPart = c.output.Part(&p.text), true
	return p
}

// told is what is said of a part, or of the whole, and what is kept of it until all is read.
type told struct {
	tally
	log      problems.Log
	compared compared
	from     map[string]bool // the versions that claims and classes are converted from
}

// convertedFrom notes the version that an object is converted from.
func (t *told) convertedFrom(version string) {
	if t.from == nil {
		t.from = map[string]bool{}
	}
	t.from[version] = true
}

// take what is told of a part. All parts are taken in their order.
func (t *told) take(p *part) {
	t.tally.add(p.tally)
	t.log.Take(&p.log)
	t.compared.take(&p.compared)
	for version := range p.from {
		t.convertedFrom(version)
	}
}

// warned reports whether there are warnings that are failures.
func (t *told) warned(c *converter) bool {
	return c.FailOn == finding.Warning && t.log.Warnings > t.log.Common
}

// finish what is said, but for the last line. Reports are whole before that; whoever has opened them hears of an error.
func (t *told) finish(c *converter) {
	_ = c.Reports.Close()
	t.log.More("; --explain names them all")
}
