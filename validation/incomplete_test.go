package validation

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// A stored claim whose annotations have no room for preserved data. v1alpha2 cannot represent its spec (two devices),
// its status (a pool with a slash), or both.
func crowdedClaim(t *testing.T, count int, pool string) []byte {
	t.Helper()
	return edit(t, typical(t, "v1alpha3"), func(o jsonObject) {
		o.at("metadata")["annotations"] = map[string]any{
			"example.com/note": strings.Repeat("x", 262144-len("example.com/note")),
		}
		devices := o.at("spec").at("devices")
		delete(devices, "config")
		devices["requests"] = []any{map[string]any{
			"name": "claim", "deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": count,
		}}
		o.at("status").at("allocation").at("devices")["results"] = []any{map[string]any{
			"request": "claim", "driver": "gpu.example.com", "pool": pool, "device": "gpu-0",
		}}
	})
}

func TestIncompleteCopies(t *testing.T) {
	type verb struct {
		operation Operation
		change    func(o jsonObject)
	}
	label := verb{Update, func(o jsonObject) { o.at("metadata").at("labels")["team"] = "a" }}
	labelRemoved := verb{Update, func(o jsonObject) { delete(o.at("metadata"), "labels") }}
	consumer := verb{UpdateStatus, func(o jsonObject) { delete(o.at("status"), "reservedFor") }}
	typedConsumer := verb{UpdateStatus, func(o jsonObject) {
		delete(o.at("status"), "reservedFor")
		delete(o.at("status"), "claimbridgeLeftover")
	}}
	deallocated := verb{UpdateStatus, func(o jsonObject) { o["status"] = map[string]any{} }}

	lastFinalizer := verb{Update, func(o jsonObject) { delete(o.at("metadata"), "finalizers") }}
	lastFinalizerAndLabels := verb{Update, func(o jsonObject) {
		delete(o.at("metadata"), "finalizers")
		o.at("metadata")["labels"] = map[string]any{"team": "a"}
	}}
	otherFinalizer := verb{Update, func(o jsonObject) { o.at("metadata")["finalizers"] = []any{"example.com/one"} }}
	otherFinalizerAndLabels := verb{Update, func(o jsonObject) {
		o.at("metadata")["finalizers"] = []any{"example.com/one"}
		o.at("metadata")["labels"] = map[string]any{"team": "a"}
	}}
	otherSpecInField := verb{UpdateStatus, func(o jsonObject) {
		field, _ := o.at("status")["claimbridgeLeftover"].(string)
		o.at("status")["claimbridgeLeftover"] = strings.Replace(field, "gpu.example.com", "evil.example.com", 1)
	}}

	for name, test := range map[string]struct {
		count    int
		pool     string
		deleting bool
		write    verb
		allowed  bool
	}{
		"a label, where the spec is in the field":     {2, "worker-1", false, label, true},
		"no labels, where the spec is in the field":   {2, "worker-1", false, labelRemoved, false},
		"a status with its field, which has the spec": {2, "worker-1", false, consumer, true},
		"a status with another spec in its field": {
			2, "worker-1", false, otherSpecInField, false,
		},
		"a status without its field, which has the spec":                {2, "worker-1", false, typedConsumer, false},
		"no allocation and no field, which has the spec":                {2, "worker-1", false, deallocated, false},
		"while deleted: a label, where all is in the field":             {2, "worker/1", true, label, true},
		"while deleted: no labels, where all is in the field":           {2, "worker/1", true, labelRemoved, false},
		"while deleted: a status with its field":                        {2, "worker/1", true, consumer, true},
		"while deleted: a status without its field":                     {2, "worker/1", true, typedConsumer, false},
		"while deleted: a status without its field, the spec fits":      {1, "worker/1", true, typedConsumer, false},
		"while deleted: no allocation and no field, which has the spec": {2, "worker/1", true, deallocated, false},
		"while deleted: no allocation and no field, the spec fits":      {1, "worker/1", true, deallocated, true},
		"while deleted: one of two finalizers":                          {2, "worker/1", true, otherFinalizer, true},
		"while deleted: one of two finalizers, and labels": {
			2, "worker/1", true, otherFinalizerAndLabels, false,
		},
		"while deleted: the last finalizer": {2, "worker/1", true, lastFinalizer, true},
		"while deleted: the last finalizer, and labels": {
			2, "worker/1", true, lastFinalizerAndLabels, true,
		},
		"a label, where the status has its field":                      {1, "worker/1", false, label, true},
		"no labels, where the status has its field":                    {1, "worker/1", false, labelRemoved, true},
		"a status with its field":                                      {1, "worker/1", false, consumer, true},
		"a status without its field, where the annotation did not fit": {1, "worker/1", false, typedConsumer, false},
		"no allocation any more, where the annotation did not fit":     {1, "worker/1", false, deallocated, true},
		"a label, where there was nothing to carry":                    {1, "worker-1", false, label, true},
	} {
		t.Run(name, func(t *testing.T) {
			stored := crowdedClaim(t, test.count, test.pool)
			if test.deleting {
				stored = edit(t, stored, func(o jsonObject) {
					o.at("metadata")["deletionTimestamp"] = "2024-01-01T00:00:00Z"
					o.at("metadata")["finalizers"] = []any{"example.com/one", "example.com/two"}
				})
			}
			copied := edit(t, convert(t, stored, "v1alpha2"), func(jsonObject) {})
			result, err := Validate(t.Context(), Request{
				Operation: test.write.operation,
				OldObject: copied,
				Object:    edit(t, copied, test.write.change),
			})
			if err != nil {
				t.Fatal(err)
			}
			if allowed := len(result.Errors) == 0; allowed != test.allowed {
				t.Fatalf("allowed is %v: %q", allowed, formatErrors(result.Errors))
			}
			for _, e := range result.Errors {
				if e.Rule != "incomplete-copy-is-not-written-back" ||
					e.Field != "metadata.labels["+conversion.IncompleteLabel+"]" ||
					!strings.Contains(e.Detail, conversion.Stored()) {
					t.Errorf("%s: %s", e.Rule, e.Error.Error())
				}
			}
			if test.allowed {
				specIsKept(t, stored, copied, test.write.operation, test.write.change)
			}
			result, err = Validate(t.Context(), Request{
				Operation: test.write.operation,
				OldObject: stored,
				Object:    edit(t, stored, test.write.change),
			})
			if err != nil || len(result.Errors) > 0 {
				t.Errorf("through the newest version: %q, %v", formatErrors(result.Errors), err)
			}
		})
	}
}

// specIsKept by an allowed write, unless the write deletes the object.
func specIsKept(t *testing.T, stored, copied []byte, operation Operation, change func(jsonObject)) {
	t.Helper()
	written := edit(t, copied, change)
	taken := edit(t, written, func(o jsonObject) { putStatus(o, copied) })
	if operation == UpdateStatus {
		taken = edit(t, copied, func(o jsonObject) { putStatus(o, written) })
	}
	if string(partOf(taken, "metadata.deletionTimestamp")) != nothing &&
		string(partOf(taken, "metadata.finalizers")) == nothing {
		return
	}
	was, is := partOf(stored, "spec"), partOf(convert(t, convert(t, taken, conversion.Stored()), "v1alpha3"), "spec")
	if !conversion.Equal(was, is) {
		t.Errorf("the stored spec is\n%.1000s\nnot\n%.1000s", is, was)
	}
}
