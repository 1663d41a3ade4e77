package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
)

// logTo is the log of the whole, for whoever delivers the parts, or with IsPart set that of one of them.
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
	d.log.Take(&p.log)
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

// fix says in the first finding that is fixed in a document what the document becomes: its text from begin to end in that of its file
// is another one. There is none of a document that may have a status, since reports are for others to read, and handles are not; nor of
// one that shares a line with another, since fixes are of whole lines, and two of a line would be in each other's way.
func fix(found []problems.Said, file []byte, begin, end int, is []byte) {
	first := slices.IndexFunc(found, func(f problems.Said) bool { return f.Fixed })
	if first < 0 || bytes.Contains(file[begin:end], []byte("status")) {
		return
	}
	from, to := bytes.LastIndexByte(file[:begin], '\n')+1, end
	if rest := file[end:]; end > 0 && file[end-1] != '\n' {
		to = end + len(rest)
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			to = end + i + 1
		}
	}
	if len(bytes.TrimSpace(file[from:begin])) > 0 || len(bytes.TrimSpace(file[end:to])) > 0 {
		return
	}
	line := bytes.Count(file[:from], []byte("\n"))
	for _, l := range files.Replaced(file[from:to], slices.Concat(file[from:begin], is, file[end:to])) {
		found[first].Fix = append(found[first].Fix, finding.Replacement{First: line + l.First, Last: line + l.Last, Text: string(l.Text)})
	}
}
