package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
)

// leftoverIsWellFormed looks at what the write brings. A leftover that fits is welcome: backups are restored and
// manifests copied.
var leftoverIsWellFormed = Rule{
	Name: "leftover-is-well-formed",
	Reason: "What claimbridge carries beside an object is in its place, as claimbridge wrote it, and belongs to the " +
		"spec that is there.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuser) {
		for _, f := range findings(w) {
			refuse(&field.Error{
				Type: field.ErrorTypeInvalid, Field: f.Field, BadValue: field.OmitValueType{}, Detail: f.Problem,
			})
		}
	},
}

// findings about the leftovers that this write brings: on a status write those of status, on other writes the others,
// and none that was there before. What was stored while nobody was watching must not keep a claim from being labelled,
// deallocated or deleted.
func findings(w *write) []conversion.Finding {
	return slices.DeleteFunc(w.stored.report.Findings, func(f conversion.Finding) bool {
		return strings.HasPrefix(f.Field, "status.") != (w.op == UpdateStatus) ||
			slices.Contains(w.stored.oldReport.Findings, f)
	})
}
