package validation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// TestWarnings: a value that cannot be stored has a warning. Ordinary writes have none (TestValidWritesAreAllowed).
func TestWarnings(t *testing.T) {
	old := edit(t, convert(t, typical(t, "v1alpha3"), "v1alpha2"), func(jsonObject) {})
	now := edit(t, old, func(o jsonObject) { o["status"] = map[string]any{"driverName": "gpu.example.com"} })
	result, err := Validate(t.Context(), Request{Operation: UpdateStatus, OldObject: old, Object: now})
	if err != nil || len(result.Errors) > 0 {
		t.Fatalf("%v, %v", formatErrors(result.Errors), err)
	}
	if diff := cmp.Diff([]string{"status.driverName: cannot be stored, and is dropped"}, result.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestWarningsAreLimited(t *testing.T) {
	in := &input{operation: UpdateStatus, stored: &storedWrite{}}
	in.new.isAllocated = true
	for i := range 100 {
		in.stored.report.Lost = append(in.stored.report.Lost, fmt.Sprint(i, strings.Repeat("ü", 1000)))
		in.stored.report.Ignored = append(in.stored.report.Ignored, fmt.Sprint(i))
	}
	reported := in.warnings()
	if len(reported) != maxWarnings {
		t.Fatalf("%d warnings, want %d", len(reported), maxWarnings)
	}
	for _, text := range reported {
		if len(text) > maxWarning || strings.ToValidUTF8(text, "") != text {
			t.Errorf("a warning of %d bytes: %q", len(text), text)
		}
	}
	in.stored.report = conversion.Report{Lost: []string{"a", "a"}}
	if reported := in.warnings(); len(reported) != 1 {
		t.Errorf("the same twice: %q", reported)
	}
}
