package migrate

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// tally counts what became of the objects that were read.
type tally struct {
	seen                           int // claims, and those that fail
	converted, same, others, fixed int
	right                          int // of the others, those that would have been fixed in another version
}

func (t *tally) add(other tally) {
	t.seen += other.seen
	t.converted += other.converted
	t.same += other.same
	t.others += other.others
	t.fixed += other.fixed
	t.right += other.right
}

// summary is the last line of convert but for an error.
func (t tally) summary(to string, failed, warnings int) string {
	fixed := ""
	if t.fixed > 0 {
		fixed = fmt.Sprintf(" (%d of them changed)", t.fixed)
	}
	return fmt.Sprintf("%d converted to %s, %d unchanged, %d of other kinds%s, %d failed, %s",
		t.converted, to, t.same, t.others, fixed, failed, problems.Many(warnings, "warning"))
}

// count of what became of files.
type count struct {
	seen, converted         int // objects; converted are those in files that change
	files, changed, skipped int
	speak                   int      // of claims, of those that were skipped
	reached                 int      // of all that were found, whatever they are
	names                   []string // of files that were skipped without a warning, up to maxSkipped
	unnamed                 int      // of those, the rest
}

// maxSkipped files are named.
const maxSkipped = 10

// skippedFiles names files that were skipped; empty where there are none.
func (c *count) skippedFiles() string {
	if len(c.names) == 0 {
		return ""
	}
	more := ""
	if c.unnamed > 0 {
		more = fmt.Sprintf(", and %d more", c.unnamed)
	}
	return "skipped, without a Kubernetes object: " + strings.Join(c.names, ", ") + more
}

// name a file that was skipped. A file that a warning names is not named again.
func (c *count) name(e *edit) {
	switch {
	case e.part.log.Common > 0:
	case len(c.names) < maxSkipped:
		c.names = append(c.names, files.Quoted(e.name))
	default:
		c.unnamed++
	}
}

func (c *count) add(e *edit) {
	c.reached++
	switch t := e.part.tally; {
	case e.skipped && e.speaks:
		c.speak++
		fallthrough
	case e.skipped:
		c.skipped++
		c.name(e)
	case !e.other:
		c.files++
		c.seen += t.seen + t.fixed + t.right
		if e.changed {
			c.changed++
			c.converted += t.converted + t.fixed
		}
	}
}

// line is the last one of a conversion in files, of which so many were found. It may have ended before it came to all.
func (c *count) line(failed, warnings, found int, writes bool) string {
	converted, people, warned, left := "would convert", "need manual changes", "", ""
	if writes {
		converted = "converted"
	}
	if failed == 1 {
		people = "needs manual changes"
	}
	if warnings > 0 {
		warned = "; " + problems.Many(warnings, "warning")
	}
	if n := found - c.reached; n > 0 {
		left = fmt.Sprintf("; %d of %s not reached", n, problems.Many(found, "file"))
	}
	return fmt.Sprintf("%s %d of %s in %d of %s; %d %s%s; %s skipped%s",
		converted, c.converted, problems.Many(c.seen, "object"), c.changed, problems.Many(c.files, "file"),
		failed, people, warned, problems.Many(c.skipped, "file"), left)
}
