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

// warnings names the data that an allowed write loses when it is stored: fields that the stored version cannot
// represent, and preserved data that the write drops. The API server itself warns of unknown fields and of old
// versions.
func (in *input) warnings() (out []string) {
	add := func(text string) {
		text = shortWarning(text)
		if len(out) < maxWarnings && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if in.operation == UpdateStatus {
		for _, lost := range in.stored.report.Lost {
			add(lost + ": cannot be stored, and is dropped")
		}
	}
	for _, data := range in.droppedData() {
		add(data + "; it is dropped")
	}
	return out
}

func shortWarning(text string) string {
	if len(text) > maxWarning {
		text = strings.ToValidUTF8(text[:maxWarning], "")
	}
	return text
}

// droppedData returns the preserved data that was in effect before the write, or is new, and is not in effect once it
// is stored. Data about an allocation is dropped together with the allocation, without a warning.
func (in *input) droppedData() []string {
	dropped := slices.Clone(in.stored.report.Ignored)
	if in.isAllocatedAfterwards() {
		dropped = append(dropped, in.stored.report.Stale...)
	}
	before := slices.Concat(in.stored.oldReport.Ignored, in.stored.oldReport.Stale)
	return slices.DeleteFunc(dropped, func(data string) bool { return slices.Contains(before, data) })
}

// isAllocatedAfterwards reports whether the claim is allocated once the write is stored.
func (in *input) isAllocatedAfterwards() bool {
	if in.operation == UpdateStatus {
		return in.new.isAllocated
	}
	return in.operation == Update && in.old.isAllocated
}
