package validation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/conversion"
)

// What honest clients write warns of nothing (TestHonestWritesPass). What cannot be stored does.
func TestWarnings(t *testing.T) {
	old := edit(t, convert(t, typical(t, "v1alpha3"), "v1alpha2"), func(jsonObject) {})
	now := edit(t, old, func(o jsonObject) { o["status"] = map[string]any{"driverName": "gpu.example.com"} })
	verdict, err := Judge(t.Context(), Request{Operation: UpdateStatus, OldObject: old, Object: now})
	if err != nil || len(verdict.Errors) > 0 {
		t.Fatalf("%v, %v", found(verdict.Errors), err)
	}
	if diff := cmp.Diff([]string{"status.driverName: cannot be stored, and is dropped"}, verdict.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestWarningsAreBounded(t *testing.T) {
	w := &write{op: UpdateStatus, stored: &stored{}}
	w.new.use.allocated = true
	for i := range 100 {
		w.stored.report.Lost = append(w.stored.report.Lost, fmt.Sprint(i, strings.Repeat("ü", 1000)))
		w.stored.report.Ignored = append(w.stored.report.Ignored, fmt.Sprint(i))
	}
	told := warnings(w)
	if len(told) != maxWarnings {
		t.Fatalf("%d warnings, want %d", len(told), maxWarnings)
	}
	for _, text := range told {
		if len(text) > maxWarning || strings.ToValidUTF8(text, "") != text {
			t.Errorf("a warning of %d bytes: %q", len(text), text)
		}
	}
	w.stored.report = conversion.Report{Lost: []string{"a", "a"}}
	if told := warnings(w); len(told) != 1 {
		t.Errorf("the same twice: %q", told)
	}
}
