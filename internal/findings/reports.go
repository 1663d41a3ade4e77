package findings

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/claimbridge/claimbridge/internal/terminal"
)

// Reports writes findings in several formats, while the input is read. A nil *Reports writes nothing.
type Reports struct {
	reporters    []Reporter
	closers      []io.Closer // in the order in which they are closed
	replacesText bool
	isHeld       bool
	held         []Finding
	totals       totals
	err          error // first error of Close
}

// totals are the numbers of findings and objects of a run. They are the last line of a JSON report.
type totals struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Fixed    int `json:"fixed"`
	Checked  int `json:"checked"`
	Changed  int `json:"changed"`
}

func (t *totals) add(f Finding) {
	switch {
	case f.Fixed:
		t.Fixed++
	case f.Severity == Error:
		t.Errors++
	default:
		t.Warnings++
	}
}

// DryRun describes a run that writes nothing: a GitHub report shows findings that --write would fix with this severity
// and version. The zero value is for a run that writes.
type DryRun struct {
	Severity Severity
	Version  string
}

// OpenReports opens reports that were checked. Standard output is free if the command writes nothing else to it. Files
// are created at once, so a file that cannot be written is an error before the work begins.
func OpenReports(specs []Spec, stdoutFree bool, dryRun DryRun, out, stderr io.Writer) (*Reports, error) {
	r := &Reports{}
	for _, spec := range specs {
		switch at := spec.destination(stdoutFree); at {
		case stdout:
			r.open(spec.Format, out, dryRun)
		case "":
			if spec.Format != textFormat { // text is printed anyway
				r.open(spec.Format, stderr, dryRun)
				r.replacesText = true
			}
		default:
			//nolint:gosec // a report has names and paths, and is for others to read
			f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
			if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
				err = pathErr.Err
			}
			if err != nil {
				r.closeFiles() // the reports that are already open stay empty
				return nil, fmt.Errorf("--report: %s: %w", spec.File, err)
			}
			r.open(spec.Format, f, dryRun)
			r.closers = append(r.closers, f)
		}
	}
	return r, nil
}

// closeFiles closes the files of reports without completing the reports.
func (r *Reports) closeFiles() {
	for _, c := range r.closers {
		if file, ok := c.(*os.File); ok {
			_ = file.Close() // nothing was written to it
		}
	}
}

// open opens a report in a format.
func (r *Reports) open(format string, to io.Writer, dryRun DryRun) {
	w := bufio.NewWriter(to) // it keeps the first error for Flush
	switch format {
	case "json":
		lines := newJSONReporter(w, &r.totals)
		r.reporters, r.closers = append(r.reporters, lines), append(r.closers, lines)
	case "sarif":
		sarif := &sarifReporter{w: w, before: sarifHead}
		r.reporters, r.closers = append(r.reporters, sarif), append(r.closers, sarif)
	case "github":
		github := &githubReporter{w: w, dryRun: dryRun}
		r.reporters, r.closers = append(r.reporters, github), append(r.closers, github)
	default:
		r.reporters = append(r.reporters, textReporter{w})
	}
	r.closers = append(r.closers, flusher{w})
}

type flusher struct{ *bufio.Writer }

// Close implements [io.Closer].
func (f flusher) Close() error { return f.Flush() }

// textReporter writes a line of text for each finding.
type textReporter struct{ w io.Writer }

// Report implements [Reporter].
func (t textReporter) Report(f Finding) { fmt.Fprintln(t.w, f.String()) }

// jsonReporter writes a line of JSON for each finding, and one for the totals. docs/schemas/findings.json is their
// schema.
type jsonReporter struct {
	encoder *json.Encoder
	totals  *totals
}

func newJSONReporter(w io.Writer, t *totals) jsonReporter {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return jsonReporter{encoder, t}
}

// Report implements [Reporter].
func (j jsonReporter) Report(f Finding) {
	_ = j.encoder.Encode(f) // Flush returns the error
}

// Close writes the totals.
func (j jsonReporter) Close() error {
	return j.encoder.Encode(struct {
		Totals totals `json:"totals"`
	}{*j.totals})
}

// SetObjects sets the numbers of objects of a run: those that were converted or validated, or failed, and those whose
// conversion was written, or would be.
func (r *Reports) SetObjects(checked, changed int) {
	if r != nil {
		r.totals.Checked, r.totals.Changed = checked, changed
	}
}

// Any reports whether there is a report to write.
func (r *Reports) Any() bool { return r != nil && len(r.reporters) > 0 }

// ReplacesText reports whether a report is on standard error, in place of the lines for people.
func (r *Reports) ReplacesText() bool { return r != nil && r.replacesText }

// Report implements [Reporter].
func (r *Reports) Report(f Finding) {
	switch {
	case r == nil:
	case r.isHeld:
		r.held = append(r.held, f)
	default:
		r.totals.add(f)
		for _, reporter := range r.reporters {
			reporter.Report(f)
		}
	}
}

// Hold keeps findings in memory until ReportHeld. It is for runs that decide at the end whether output is written.
func (r *Reports) Hold() {
	if r.Any() {
		r.isHeld = true
	}
}

// ReportHeld reports the findings that Hold kept. If nothing is written, no finding is fixed.
func (r *Reports) ReportHeld(isWritten bool) {
	if r == nil || !r.isHeld {
		return
	}
	r.isHeld = false
	for _, f := range r.held {
		if !isWritten {
			f = f.AsUnfixed()
		}
		r.Report(f)
	}
	r.held = nil
}

// Close completes the reports. A second call returns the same error.
func (r *Reports) Close() error {
	if r == nil {
		return nil
	}
	r.ReportHeld(false)
	for _, c := range r.closers {
		if r.err == nil { // otherwise a report would look complete
			r.err = c.Close()
		}
	}
	r.closers = nil
	if r.err != nil {
		return fmt.Errorf("--report: %w", r.err)
	}
	return nil
}

// printableLines makes the lines of a text printable, and keeps the line ends.
func printableLines(text string) string {
	return lineText.ReplaceAllStringFunc(text, terminal.Printable)
}
