package convert

import "fmt"

// count of what became of files.
type count struct {
	tally                   // of objects; converted are those in files that change
	files, changed, skipped int
}

func (c *count) add(e *edit, t tally) {
	switch {
	case e.skipped:
		c.skipped++
		return
	case e.other:
		return
	}
	c.files++
	t.seen += t.fixed
	t.converted += t.fixed
	if e.changed {
		c.changed++
	} else {
		t.converted = 0
	}
	c.tally.add(t)
}

// line is the last one of a conversion in files.
func (c *count) line(failed int, writes bool) string {
	converted := "converted"
	if !writes {
		converted = "would convert"
	}
	return fmt.Sprintf("%s %d of %s in %d of %s; %s; %s skipped", converted, c.converted, many(c.seen, "object"),
		c.changed, many(c.files, "file"), people(failed), many(c.skipped, "file"))
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func people(n int) string {
	if n == 1 {
		return "1 needs a person"
	}
	return fmt.Sprintf("%d need a person", n)
}
