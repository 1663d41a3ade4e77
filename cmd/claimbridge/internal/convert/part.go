package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// part of the input, documents or items of a list, and what one goroutine makes of it.
type part struct {
	*converter
	told
	tally
	work []func(*part) error // to do in its order; the error is one of writing, what is wrong with the input is printed
	size int

	text      bytes.Buffer // of the output
	out       *manifest.Writer
	changes   int                // of lists, which are more than their claims that were converted
	parsed    *manifest.Document // the one that is looked at
	rows      [][]byte           // of its text, when one was asked for
	rowsOf    *manifest.Document // that they are of
	nested    int                // objects that stand in one another
	converted []byte             // the claim that was converted last
}

// overhead in bytes of a document or an item: what is kept of it beside its text. It bounds parts of very small ones, and
// of errors.
const overhead = 256

// part to fill.
func (c *converter) part() *part {
	p := &part{converter: c, told: told{log: c.logTo(nil)}}
	p.out, p.log.IsPart = c.output.Part(&p.text), true
	return p
}

// told is what is said of a part, or of the whole, and what is kept of it until all is read.
type told struct {
	log       problems.Log
	compared  compared
	mentioned mentioned
}

// logTo is the log of the whole, for whoever delivers the parts, or with IsPart set that of one of them.
func (c *converter) logTo(w io.Writer) problems.Log {
	rendered := "claimbridge convert --check --diff --to " + cmp.Or(c.To.Release, c.to) // looks at what a template becomes for the same target
	l := problems.Log{W: w, All: c.Explain, Full: &c.full, Quiet: c.Reports.Quiet(), Rendered: rendered, Named: c.named}
	if c.Reports.Any() {
		l.Report = c.Reports.Add
	}
	return l
}

// take what is told of a part. All parts are taken in their order.
func (t *told) take(p *part) {
	t.log.Take(&p.log)
	t.compared.take(&p.compared)
	t.mentioned.take(&p.mentioned)
}

// warned reports whether there are warnings that are failures.
func (t *told) warned(c *converter) bool {
	return c.FailOn == finding.Warning && t.log.Warnings > t.log.Common
}

// finish what is said, but for the last line. Reports are whole before that; whoever has opened them hears of an error.
func (t *told) finish(c *converter, w io.Writer) {
	_ = c.Reports.Close()
	t.log.More("; --explain names them all")
	if said := t.mentioned.String(); said != "" {
		fmt.Fprintln(w, said)
	}
}
