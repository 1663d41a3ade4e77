package validation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/conversion"
)

// A structured claim that no older version can show in full: two devices are asked for, and the pool's name has a slash.
func claimWithLeftovers(t *testing.T, version string) []byte {
	t.Helper()
	return convert(t, edit(t, typical(t, "v1alpha3"), func(o jsonObject) {
		o.at("spec").at("devices")["requests"] = []any{map[string]any{
			"name": "gpu", "deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 2,
		}}
		o.at("status").at("allocation").at("devices")["results"] = []any{map[string]any{
			"request": "gpu", "driver": "gpu.example.com", "pool": "worker/1", "device": "gpu-0",
		}}
	}), version)
}

func TestWarnings(t *testing.T) {
	nothing := func(jsonObject) {}
	withoutField := func(o jsonObject) { delete(o.at("status"), "claimbridgeLeftover") }
	for name, test := range map[string]struct {
		version     string
		operation   Operation
		before, now func(o jsonObject)
		want        []string
	}{
		"a label":              {"v1alpha1", Update, nothing, func(o jsonObject) { o.at("metadata")["labels"] = map[string]any{"a": "b"} }, nil},
		"a copy made from it":  {"v1alpha1", Create, nothing, nothing, nil},
		"a copy in v1alpha2":   {"v1alpha2", Create, nothing, nothing, nil},
		"a consumer less":      {"v1alpha2", UpdateStatus, nothing, func(o jsonObject) { delete(o.at("status"), "reservedFor") }, nil},
		"a client with types":  {"v1alpha1", UpdateStatus, nothing, withoutField, nil},
		"deallocation":         {"v1alpha1", UpdateStatus, nothing, func(o jsonObject) { o["status"] = map[string]any{} }, nil},
		"deallocation in 1.30": {"v1alpha2", UpdateStatus, nothing, func(o jsonObject) { o["status"] = map[string]any{} }, nil},
		"deallocation in 1.31": {"v1alpha3", UpdateStatus, nothing, func(o jsonObject) { o["status"] = map[string]any{} }, nil},
		"a driver without an allocation": {"v1alpha2", UpdateStatus, nothing, func(o jsonObject) {
			o["status"] = map[string]any{"driverName": "gpu.example.com"}
		}, []string{"status.driverName: cannot be stored, and is dropped"}},
	} {
		t.Run(name, func(t *testing.T) {
			old := edit(t, claimWithLeftovers(t, test.version), test.before)
			r := Request{Operation: test.operation, OldObject: old, Object: edit(t, old, test.now)}
			if test.operation == Create {
				r.OldObject = nil
			}
			verdict, err := Judge(t.Context(), r)
			if err != nil || len(verdict.Errors) > 0 {
				t.Fatalf("%v, %v", found(verdict.Errors), err)
			}
			if diff := cmp.Diff(test.want, verdict.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
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
