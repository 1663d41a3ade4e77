package preflight

import (
	"fmt"
	"strings"
)

var noWriteIsExempt = Check{
	Name:     "no-write-is-exempt",
	Reason:   "A selector or a match condition keeps some writes away from the webhook. Whoever may write there can store what others may not, forged leftovers included.",
	Severity: Problem,
	Remedy:   "Remove selectors and match conditions, as the manifests have none.",
	find: func(v *view) {
		for _, h := range v.hooks() {
			if len(h.exempts) > 0 {
				v.report(h.object, h.field+" is not asked about every write, because of its "+strings.Join(h.exempts, " and "),
					v.exempt(h))
			}
		}
	},
}

// exempt no more. Applying the manifests takes nothing away that they do not have.
func (v *view) exempt(h hook) remedy {
	var patches []string
	for _, field := range h.exempts {
		patches = append(patches, fmt.Sprintf(`{"op": "remove", "path": "/webhooks/%d/%s"}`, h.index, field))
	}
	return say("take that away, or leave this check out with --skip=%s if it is meant so", v.check.Name).
		by(v.kubectl("patch", h.object.Kind, h.object.Name, "--type=json", "-p", "["+strings.Join(patches, ", ")+"]"))
}
