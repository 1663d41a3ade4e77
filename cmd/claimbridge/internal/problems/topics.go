package problems

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// MaxWarnings of a rule are printed: enough to see what is wrong and where, and what all rules together say still fits
// the scrollback of a terminal.
const MaxWarnings = 10

// mark is where a warning of a rule stands in what was written.
type mark struct {
	rule       finding.Rule
	begin, end int
}

// warned counts warnings by their rules.
type warned [finding.Most]int

// Full says to parts that are still worked on which warnings need not be printed any more, as they would be cut out. It saves
// time and changes nothing.
type Full [finding.Most]atomic.Bool

// Warn prints a warning about an object.
func (l *Log) Warn(at manifest.Position, h conversion.Header, w What) {
	l.Warnings++
	l.remedy[w.Rule] = true
	l.object(finding.Warning, at, h, w)
}

// Enough reports whether a warning of a rule is of no use to anybody any more, since there were enough; then it is counted.
func (l *Log) Enough(r finding.Rule) bool {
	if l.Report != nil || l.prints(r) {
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
func (l *Log) Advise(at manifest.Position, h conversion.Header, w What) {
	if !l.Enough(w.Rule) {
		l.advise(w.Rule, l.finding(finding.Warning, at, h, w))
	}
}

func (l *Log) advise(r finding.Rule, f finding.Finding) {
	f.Text, f.Message = finding.Printable(f.Text), finding.Printable(f.Message)
	prints := l.prints(r) && !l.Quiet
	l.warned[r]++
	l.Warnings++
	l.remedy[r] = true
	if l.Report != nil {
		l.Report(f)
	}
	if !prints {
		return
	}
	buffer, later := l.W.(*bytes.Buffer)
	if !later {
		fmt.Fprintln(l.W, line(f))
		return
	}
	begin := buffer.Len()
	fmt.Fprintln(buffer, line(f))
	l.marks = append(l.marks, mark{r, begin, buffer.Len()})
}

// Take what a part says, but for warnings of which there were enough.
func (l *Log) Take(from *Log, said []byte) {
	l.Failed += from.Failed
	l.Warnings += from.Warnings
	l.Common += from.Common
	shown, written := l.warned, 0
	for _, m := range from.marks {
		if shown[m.rule]++; shown[m.rule] > MaxWarnings && !l.All {
			l.write(said[written:m.begin])
			written = m.end
		}
	}
	l.write(said[written:])
	for r, told := range from.remedy {
		l.remedy[r] = l.remedy[r] || told
	}
	for r, n := range from.warned {
		if l.warned[r] += n; l.warned[r] >= MaxWarnings && l.Full != nil {
			l.Full[r].Store(true)
		}
	}
}

func (l *Log) write(said []byte) {
	if len(said) > 0 {
		_, _ = l.W.Write(said)
	}
}

// More says of how many objects a warning was not printed, and what to do about each sort of warning. The hint names the flag that prints
// them all.
func (l *Log) More(hint string) {
	if l.Quiet {
		return
	}
	for r, n := range l.warned {
		if n > MaxWarnings && !l.All {
			fmt.Fprintf(l.W, "warning: %s: %d more%s\n", finding.Rule(r).About().Many, n-MaxWarnings, hint)
		}
	}
	for r, told := range l.remedy {
		if told {
			about := finding.Rule(r).About()
			fmt.Fprintf(l.W, "%s: %s\n", about.Name, about.Remedy)
		}
	}
}
