// Package batch converts the claims of an input on all cores: to a stream, or in their files. It prints the findings,
// counts objects, and writes output, in the order of the input. Package migrate converts each document.
package batch

import (
	"errors"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/migrate"
)

// Options of a run.
type Options struct {
	migrate.Options
	// Format of the output of a stream, one of yamldoc.Formats.
	Format string
	// Atomic is set to write nothing unless everything succeeds.
	Atomic bool
	// Quiet is set to print errors only.
	Quiet bool
	// Reports receive the findings. It is nil if there are none.
	Reports *findings.Reports
	// FailOn is the lowest severity that is a failure. Empty means an error.
	FailOn findings.Severity
}

var errNothing = errors.New("there are no objects in the input")

// run collects the results of an input in its order.
type run struct {
	Options
	converter *migrate.Converter
	progress  *progress
	printer   findings.Printer
	counts    migrate.Counts
	facts     migrate.Facts
}

func newRun(o Options, c *migrate.Converter, p *progress) *run {
	return &run{
		Options: o, converter: c, progress: p,
		printer: findings.Printer{W: p, All: o.Explain, ErrorsOnly: o.Quiet, Reports: o.Reports},
	}
}

// include adds the result of the next part of the input, and prints its findings.
func (r *run) include(result *migrate.Result) {
	r.counts.Add(result.Counts)
	r.printer.ReportAll(result.Findings)
	r.facts.Add(result.Facts)
}

// reportFacts reports the findings that depend on all input.
func (r *run) reportFacts() {
	for _, f := range r.facts.Findings(r.To) {
		r.printer.Report(f)
	}
}

// hasWarnings reports whether there are warnings that are failures.
func (r *run) hasWarnings() bool {
	return r.FailOn == findings.Warning && r.printer.FailingWarnings() > 0
}

// finish closes the reports and prints a summary of the findings. The caller that opened the reports closes them again,
// which returns the same error.
func (r *run) finish() {
	_ = r.Reports.Close()
	r.printer.Summarize("; --explain names them all")
}
