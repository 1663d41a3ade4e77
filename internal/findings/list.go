package findings

// maxKept is the maximum number of findings of each kind ([kindOf]) that a List keeps. GitHub accepts as many for a
// run. Without a limit, the findings about a list with a million invalid items would need a gigabyte.
const maxKept = 25_000

// List has the findings of a part of an input, in the order of the input. It keeps maxKept of each kind, and counts the
// others.
type List struct {
	kept    []Finding
	perKind [4]int
	omitted counts
}

// kindOf returns the kind of a finding: 0 for a note, 1 for a report-only finding, 2 for a warning, 3 for an error.
func kindOf(f Finding) int {
	switch {
	case f.Severity == Note:
		return 0
	case f.ReportOnly:
		return 1
	case f.Severity == Warning:
		return 2
	}
	return 3
}

// Add adds findings.
func (l *List) Add(all ...Finding) {
	for _, f := range all {
		kind := kindOf(f)
		l.perKind[kind]++
		if l.perKind[kind] <= maxKept {
			l.kept = append(l.kept, f)
			continue
		}
		l.omitted.add(f)
		if l.perKind[kind] == maxKept+1 {
			const more = "more than 25,000 findings of this kind: the others are counted and not listed; split the file, " +
				"or correct the listed ones and run again"
			l.kept = append(l.kept, Finding{
				Rule: f.Rule, Severity: f.Severity, Position: Position{File: f.File}, Message: more,
				Uncounted: true, ReportOnly: f.ReportOnly,
			})
		}
	}
}

// AddAll adds the findings of another list.
func (l *List) AddAll(more List) {
	l.Add(more.kept...)
	l.omitted.addAll(more.omitted)
}

// Failed returns the number of objects that failed.
func (l *List) Failed() int { return l.counts().Failed }

// Warnings returns the number of warnings.
func (l *List) Warnings() int { return l.counts().Warnings }

func (l *List) counts() (all counts) {
	all.addAll(l.omitted)
	for _, f := range l.kept {
		all.add(f)
	}
	return all
}

// MarkUnfixed changes the findings to those for output that is not written.
func (l *List) MarkUnfixed() {
	for i, f := range l.kept {
		l.kept[i] = f.AsUnfixed()
	}
}

// counts has the numbers of findings.
type counts struct {
	Failed, Warnings int
	FailedFiles      int // the part of Failed that is files and directories that could not be read or written
	Harmless         int // the part of Warnings that --fail-on=warning ignores
	Skipped          int // the part of Harmless that is about skipped files and documents
	warningsByRule   map[Rule]int
}

func (c *counts) add(f Finding) {
	switch {
	case f.Uncounted || f.ReportOnly || f.Severity == Note:
	case f.Severity == Error:
		c.Failed++
		if f.Rule == UnreadableFile {
			c.FailedFiles++
		}
	default:
		c.Warnings++
		if f.Harmless {
			c.Harmless++
		}
		if f.Harmless && f.Rule == SkippedFile {
			c.Skipped++
		}
		if c.warningsByRule == nil {
			c.warningsByRule = map[Rule]int{}
		}
		c.warningsByRule[f.Rule]++
	}
}

func (c *counts) addAll(more counts) {
	c.Failed += more.Failed
	c.FailedFiles += more.FailedFiles
	c.Warnings += more.Warnings
	c.Harmless += more.Harmless
	c.Skipped += more.Skipped
	for rule, n := range more.warningsByRule {
		if c.warningsByRule == nil {
			c.warningsByRule = map[Rule]int{}
		}
		c.warningsByRule[rule] += n
	}
}
