// Package batch converts the claims of an input on all cores: to a stream, or in their files. It prints the findings,
// counts objects, and writes output, in the order of the input. Package migrate converts each document.
//
// A stream (stream.go) is cut into parts of several documents. A part is converted in a goroutine, and then written in
// its turn (pipeline.go).
//
// These are the steps for a file that is converted in place:
//
//  1. Package input lists the files, each once.
//  2. Each file is converted in a goroutine, as soon as there is memory for its size (pipeline.go).
//  3. The file is read, and package migrate returns the edit of each document that changes (file.go).
//  4. If an object of the file failed, the file is unchanged. Otherwise the new text is written to a temporary file
//     beside it, or in the output directory (staging.go).
//  5. In the order of the input, the temporary file replaces the file, unless the file was changed since it was read.
//     With --atomic, it is replaced at the end (in_place.go). The findings and the diff are printed.
//  6. At the end, findings that depend on all input, the remedies of the rules, and a summary are printed (run.go,
//     summary.go).
package batch

import (
	"errors"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
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

var errNoObjects = errors.New("no Kubernetes object found in the input: check the paths and --exclude, or the " +
	"command that generates the manifests")

// run collects the results of an input in its order.
type run struct {
	Options
	converter *migrate.Converter
	progress  *progress
	printer   findings.Printer
	counts    migrate.Counts
	facts     migrate.Facts
}

// newRun returns a run over an input. It sets o.Input.
func newRun(o Options, in *input.Input, p *progress) *run {
	o.Input = in
	return &run{
		Options: o, converter: migrate.New(o.Options), progress: p,
		printer: findings.Printer{W: p, All: o.Explain, ErrorsOnly: o.Quiet, Reports: o.Reports},
	}
}

// include adds the result of a part of the input, and prints its findings. It is called in the order of the input.
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

// hasFailed reports whether something could not be converted, read or written, or a warning is a failure.
func (r *run) hasFailed() bool { return r.printer.Failed > 0 || r.hasFailingWarnings() }

// hasFailingWarnings reports whether there are warnings that are failures.
func (r *run) hasFailingWarnings() bool {
	return r.FailOn == findings.Warning && r.printer.FailingWarnings() > 0
}

// finish closes the reports and prints a summary of the findings. The caller that opened the reports closes them again,
// which returns the same error.
func (r *run) finish() {
	_ = r.Reports.Close()
	r.printer.Summarize("; --explain names them all")
}
