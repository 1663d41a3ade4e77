package validation

import (
	"slices"
	"strings"
)

// Beyond 4096 characters of warnings an API server cuts each to 256 and drops the rest (apiserver
// pkg/endpoints/filters/warning.go).
const (
	maxWarning  = 256
	maxWarnings = 4096 / maxWarning
)

// warnings about what an allowed write loses when it is stored: a field that the stored version cannot keep, and a
// leftover that the write drops. Of unknown fields and of old versions the API server warns itself.
func warnings(w *write) (out []string) {
	add := func(text string) {
		text = shortWarning(text)
		if len(out) < maxWarnings && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if w.op == UpdateStatus {
		for _, lost := range w.stored.report.Lost {
			add(lost + ": cannot be stored, and is dropped")
		}
	}
	for _, leftover := range droppedLeftovers(w) {
		add(leftover + "; it is dropped")
	}
	return out
}

func shortWarning(text string) string {
	if len(text) > maxWarning {
		text = strings.ToValidUTF8(text[:maxWarning], "")
	}
	return text
}

// droppedLeftovers have counted before the write, or are new, and do not count as stored. Those that did not count
// before are no business of this write. What a leftover says about an allocation goes with the allocation: deallocation
// and creation drop nothing that anybody would miss.
func droppedLeftovers(w *write) []string {
	dropped := slices.Clone(w.stored.report.Ignored)
	if allocated(w) {
		dropped = append(dropped, w.stored.report.Stale...)
	}
	before := slices.Concat(w.stored.oldReport.Ignored, w.stored.oldReport.Stale)
	return slices.DeleteFunc(dropped, func(leftover string) bool { return slices.Contains(before, leftover) })
}

// allocated reports whether the claim is allocated once the write is stored.
func allocated(w *write) bool {
	if w.op == UpdateStatus {
		return w.new.use.allocated
	}
	return w.op == Update && w.old.use.allocated
}
