package convert

import (
	"cmp"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
)

// newLog of a part. It writes to a buffer, and keeps findings for reports: whoever delivers the parts hands both on in order.
func (p *part) newLog() problems.Log {
	p.found = p.found[:0]
	l := p.logTo(&p.said)
	if p.reports.Any() {
		l.Report = func(f finding.Finding) { p.found = append(p.found, f) }
	}
	return l
}

// logTo is the log of the whole, for whoever delivers the parts.
func (c *converter) logTo(w io.Writer) problems.Log {
	l := problems.Log{W: w, All: c.explain, Full: &c.full, Quiet: c.reports.Quiet(), Rendered: c.rendered(), Named: c.named}
	if c.reports.Any() {
		l.Report = c.reports.Add
	}
	return l
}

// rendered is how what a template becomes is looked at for the same target.
func (c *converter) rendered() string {
	return "claimbridge convert --check --diff --to " + cmp.Or(c.target.Release, c.to)
}

// handOn what a part found.
func (p *part) handOn() {
	for _, f := range p.found {
		p.reports.Add(f)
	}
	p.found = p.found[:0]
	if cap(p.found) > maxFound {
		p.found = nil
	}
}

// maxFound is how many findings a part keeps room for: 4 for each kilobyte of its input, of some 400 bytes.
const maxFound = 4 * partSize >> 10

// done tells reports of a claim that is written.
func (p *part) done(at manifest.Position, raw []byte, version string) {
	if p.log.Report == nil || version == p.to {
		return
	}
	header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
	p.log.Fixed(at, header, problems.At(finding.ClaimOfAnotherVersion, "apiVersion", "is of "+version+", and written as "+p.to))
}

// delivered is what is kept of parts, in their order.
type delivered struct {
	log       problems.Log
	compared  compared
	mentioned mentioned
}

func (d *delivered) take(p *part) {
	d.log.Take(&p.log, p.said.Bytes())
	p.handOn()
	d.compared.take(&p.compared)
	d.mentioned.take(&p.mentioned)
}

// finish what is said, but for the last line. Reports are whole before that; whoever has opened them hears of an error.
func (d *delivered) finish(reports *report.Set, w io.Writer) {
	_ = reports.Close()
	d.log.More("; --explain names them all")
	if said := d.mentioned.String(); said != "" {
		fmt.Fprintln(w, said)
	}
}
