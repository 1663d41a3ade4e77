package convert

import (
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// tell of something at a value.
func (o *other) tell(rule finding.Rule, t *tree, text string) { o.tellRow(rule, t, text, 0, "") }

// tellRow is tell with the line of a row of the value's text, if that stands there as it is.
func (o *other) tellRow(rule finding.Rule, t *tree, text string, line int, row string) {
	if o.log.Enough(rule) {
		return
	}
	what := problems.At(rule, t.path(), text)
	if o.log.Locate != nil && row != "" {
		if begin, _ := o.log.Locate(o.at.Items, what.Field); begin > 0 {
			what.Line = o.lineOf(row, begin+line)
		}
	}
	o.log.Advise(o.at, o.header, what)
}

// lineOf a row of a text: one that is expected, or that behind it, as a text begins beside its name or below; 0 where it is neither.
func (o *other) lineOf(row string, expected int) int {
	if o.parsed == nil {
		return 0
	}
	for line := expected; line <= expected+1; line++ {
		if is := o.parsed.Row(line); is != nil && strings.TrimSpace(string(is)) == strings.TrimSpace(row) {
			return line
		}
	}
	return 0
}
