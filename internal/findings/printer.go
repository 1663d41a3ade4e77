package findings

import (
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/internal/terminal"
)

// Reporter receives the findings of a run in the order of the input.
type Reporter interface {
	Report(f Finding)
}

// MaxWarnings is how many warnings of a rule are printed. The warnings of all rules together fit into the scrollback of
// a terminal.
const MaxWarnings = 10

// Printer is the Reporter of a run. It counts findings, prints them for people, limits warnings that repeat, and passes
// all findings except notes on to reports.
type Printer struct {
	W io.Writer
	// All prints every warning of a rule. ErrorsOnly prints no warnings.
	All, ErrorsOnly bool
	// Reports get every finding except notes; nil for none.
	Reports *Reports

	counts
	rulesToExplain map[Rule]bool // rules of warnings; Summarize prints their remedies
}

// Report implements [Reporter].
func (p *Printer) Report(f Finding) {
	p.add(f)
	if f.Severity == Note {
		if !p.ErrorsOnly {
			fmt.Fprintln(p.W, f.String())
		}
		return
	}
	if f.ReportOnly {
		p.Reports.Report(f)
		return
	}
	f.Message, f.Sentence = terminal.Printable(f.Message), terminal.Printable(f.Sentence)
	p.Reports.Report(f)
	info := f.Rule.Info()
	if f.Severity == Warning && info.Name != "" && info.Name != SkippedFile {
		if p.rulesToExplain == nil {
			p.rulesToExplain = map[Rule]bool{}
		}
		p.rulesToExplain[f.Rule] = true
	}
	if p.prints(f, info) {
		fmt.Fprintln(p.W, f.String())
	}
}

// prints reports whether a finding is printed.
func (p *Printer) prints(f Finding, info RuleInfo) bool {
	switch {
	case p.Reports.ReplacesText():
		return false
	case f.Severity == Error:
		return true
	case p.ErrorsOnly:
		return false
	}
	isRepeated := info.Plural != "" && p.warningsByRule[f.Rule] > MaxWarnings && !f.Uncounted
	return p.All || !isRepeated
}

// ReportAll reports the findings of a list.
func (p *Printer) ReportAll(l List) {
	for _, f := range l.kept {
		p.Report(f)
	}
	p.addAll(l.omitted)
}

// Summarize prints how many warnings of each rule were not printed, and the remedy of each rule. The hint names the
// flag that prints all warnings.
func (p *Printer) Summarize(hint string) {
	if p.Reports.ReplacesText() || p.ErrorsOnly {
		return
	}
	for _, info := range rules {
		if n := p.warningsByRule[info.Name] - MaxWarnings; n > 0 && info.Plural != "" && !p.All {
			fmt.Fprintf(p.W, "warning: %s: %d more%s\n", info.Plural, n, hint)
		}
	}
	for _, info := range rules {
		if p.rulesToExplain[info.Name] {
			fmt.Fprintf(p.W, "note: %s: %s\n", info.Name, info.Remedy)
		}
	}
}

// FailingWarnings returns the number of warnings that are a failure with --fail-on=warning.
func (p *Printer) FailingWarnings() int { return p.Warnings - p.Harmless }

// FailedObjects returns the number of objects and documents that failed, without files that could not be read.
func (p *Printer) FailedObjects() int { return p.Failed - p.FailedFiles }

// Count returns a number with a noun, such as "1 file" and "2 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
