package convert

import (
	"fmt"

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
	return fmt.Sprintf("%d converted to %s, %d already right, %d of other kinds%s, %d failed, %s",
		t.converted, to, t.same, t.others, fixed, failed, problems.Many(warnings, "warning"))
}
