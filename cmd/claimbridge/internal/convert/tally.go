package convert

import "fmt"

// tally counts what became of the objects that were read.
type tally struct{ converted, same, others int }

func (t *tally) add(other tally) {
	t.converted += other.converted
	t.same += other.same
	t.others += other.others
}

// summary is the last line of convert but for an error.
func (t tally) summary(to string, failed, warnings int) string {
	s := "s"
	if warnings == 1 {
		s = ""
	}
	return fmt.Sprintf("%d converted to %s, %d already right, %d of other kinds, %d failed, %d warning%s",
		t.converted, to, t.same, t.others, failed, warnings, s)
}
