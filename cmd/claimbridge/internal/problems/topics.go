package problems

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// MaxWarnings of a rule are printed: enough to see what is wrong and where, and what all rules together say still fits
// the scrollback of a terminal.
const MaxWarnings = 10

// maxSaid of a kind wait for the turn of their file, as many as GitHub takes of a run: a list of a
// million wrong items would take a gigabyte.
const maxSaid = 25_000

// Full says to parts that are still worked on which warnings need not be printed any more, as there
// were enough. It saves time and changes nothing.
type Full [finding.Most]atomic.Bool

// Said is a finding, or a line that is none.
type Said struct {
	finding.Finding
	rule finding.Rule
	how  how
}

// how something is said.
type how int

const (
	asLine    how = iota // that is no finding
	silently             // to reports alone
	printed              // always
	asWarning            // always, and with a remedy at the end
	asTopic              // the same, but for those of a rule of which there were enough
)

// say prints a finding and hands it to reports, or keeps it for the log of the whole.
func (l *Log) say(how how, r finding.Rule, f finding.Finding) {
	if how >= printed {
		f.Text, f.Message = finding.Printable(f.Text), finding.Printable(f.Message)
	}
	if l.IsPart {
		if l.said[how]++; l.said[how] <= maxSaid {
			l.Said = append(l.Said, Said{f, r, how})
			return
		}
		if how == asTopic {
			l.warned[r]++
		}
		if l.said[how] == maxSaid+1 {
			const more = "here findings of a kind end that are listed, and others are counted alone: split the file, " +
				"or mend these and run again"
			note := finding.Finding{
				Rule:     f.Rule,
				Severity: f.Severity,
				Place:    f.Place,
				Message:  more,
				Text:     strings.TrimPrefix(f.File+": "+more, ": "),
			}
			l.Said = append(l.Said, Said{note, r, min(how, printed)})
		}
		return
	}
	if l.Reports.Any() && how != asLine {
		l.Reports.Add(f)
	}
	prints := how == asLine || how >= printed && !l.Reports.Quiet()
	if how >= asWarning && f.Rule == r.About().Name { // a rule of validation has a page of its own
		l.remedy[r] = true
	}
	if how == asTopic {
		prints = prints && l.prints(r)
		l.warned[r]++
	}
	if prints {
		fmt.Fprintln(l.W, f.ForPeople())
	}
}

// Warn prints a warning about an object.
func (l *Log) Warn(at yamldoc.Position, h conversion.Header, w What) {
	l.Warnings++
	l.say(asWarning, w.Rule, l.finding(finding.Warning, at, h, w))
}

// Enough reports whether a warning of a rule is of no use to anybody any more, since there were
// enough; then it is counted.
func (l *Log) Enough(r finding.Rule) bool {
	if l.Reports.Any() || l.prints(r) {
		return false
	}
	l.warned[r]++
	l.Warnings++
	return true
}

// prints reports whether a warning of a rule is still printed.
func (l *Log) prints(r finding.Rule) bool {
	return l.All || l.warned[r] < MaxWarnings && (l.Full == nil || !l.Full[r].Load())
}

// Advise prints a warning that may hold for every object of an input alike, if there were not enough of its rule.
func (l *Log) Advise(at yamldoc.Position, h conversion.Header, w What) {
	if !l.Enough(w.Rule) {
		l.Warnings++
		l.say(asTopic, w.Rule, l.finding(finding.Warning, at, h, w))
	}
}

// TakeBack that something is fixed, in what a part has said: the file has an error, and is not written.
func (l *Log) TakeBack() {
	for i := range l.Said {
		TakenBack(&l.Said[i].Finding)
	}
}

// TakenBack is a finding of what was to be fixed, and is not written.
func TakenBack(f *finding.Finding) {
	if f.Fixed {
		w := At(0, f.Field, "needs conversion, and is unchanged")
		said := "fixed: " + At(0, f.Field, f.Message).Text
		f.Fixed, f.Message, f.Text = false, w.message(), strings.TrimSuffix(f.Text, said)+"warning: "+w.Text
	}
}

// Take what a part says.
func (l *Log) Take(from *Log) {
	l.Failed += from.Failed
	l.Warnings += from.Warnings
	l.Common += from.Common
	for _, s := range from.Said {
		l.say(s.how, s.rule, s.Finding)
	}
	for r, n := range from.warned {
		if l.warned[r] += n; l.warned[r] >= MaxWarnings && l.Full != nil {
			l.Full[r].Store(true)
		}
	}
}

// More says of how many objects a warning was not printed, and what to do about each sort of
// warning. The hint names the flag that prints them all.
func (l *Log) More(hint string) {
	if l.Reports.Quiet() {
		return
	}
	for r, n := range l.warned {
		if n > MaxWarnings && !l.All {
			fmt.Fprintf(l.W, "warning: %s: %d more%s\n", finding.Rule(r).About().Many, n-MaxWarnings, hint)
		}
	}
	for r, is := range l.remedy {
		if is {
			about := finding.Rule(r).About()
			fmt.Fprintf(l.W, "%s: %s\n", about.Name, about.Remedy)
		}
	}
}
