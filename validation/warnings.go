package validation

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/conversion"
)

// Beyond 4096 characters of warnings an API server cuts each to 256 and drops the rest (apiserver
// pkg/endpoints/filters/warning.go).
const (
	maxWarning  = 256
	maxWarnings = 4096 / maxWarning
)

// warnings about what an allowed write loses when it is stored: a field that the stored version cannot keep, and a
// leftover that the write drops. Of unknown fields and of old versions the API server warns itself.
func warnings(w *write) (out []string, err error) {
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
	dropped, err := droppedLeftovers(w)
	for _, leftover := range dropped {
		add(leftover + "; it is dropped")
	}
	return out, err
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
func droppedLeftovers(w *write) ([]string, error) {
	dropped := slices.DeleteFunc(slices.Clone(w.stored.report.Ignored), func(ignored string) bool {
		return slices.Contains(w.stored.oldReport.Ignored, ignored)
	})
	if len(dropped) == 0 || allocated(w) {
		return dropped, nil
	}
	// Inspect finds all but what completes another allocation.
	broken, err := conversion.Inspect(w.stored.sent)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(dropped, func(ignored string) bool {
		return !slices.ContainsFunc(broken, func(f conversion.Finding) bool { return ignored == f.Field+": "+f.Problem })
	}), nil
}

// allocated tells whether the claim is allocated once the write is stored.
func allocated(w *write) bool {
	switch w.op {
	case UpdateStatus:
		return w.new.use.allocated
	case Update:
		return w.old.use.allocated
	}
	return false
}
