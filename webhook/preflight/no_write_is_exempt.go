package preflight

import "strings"

var noWriteIsExempt = Check{
	Name:     "no-write-is-exempt",
	Reason:   "A selector or a match condition keeps some writes away from the webhook. Whoever may write there can store what others may not, forged leftovers included.",
	Severity: Problem,
	Remedy:   "Remove selectors and match conditions, as the manifests have none.",
	find: func(v *view) {
		for _, h := range v.hooks() {
			if len(h.exempts) > 0 {
				v.report(h.object, h.field+" is not asked about every write, because of its "+strings.Join(h.exempts, " and "),
					"remove that ("+v.applyAgain()+"), or leave this check out with --skip="+v.check.Name+" if it is meant so")
			}
		}
	},
}
