package validation

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnreadableObjectsCanBeRepaired has objects that only an edit of etcd, or an earlier schema, can have stored.
func TestUnreadableObjectsCanBeRepaired(t *testing.T) {
	const (
		good = `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu",` +
			`"allocationMode":"ExactCount","count":1}}]}}`
		bad       = `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu","allocationMode":5}}]}}`
		invalid   = `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":""}}]}}`
		none      = `{}`
		allocated = `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"a",` +
			`"device":"b"}]}}}`
		changed = `{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"a",` +
			`"device":"c"}]}}}`
		nonsense = `{"reservedFor":7}`
		unused   = `{"reservedFor":[{"resource":"pods","name":"a","uid":"1"}]}`
	)
	claim := func(spec, status string, metadata ...string) string {
		return `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu"` +
			strings.Join(metadata, "") +
			`},"spec":` + spec + `,"status":` + status + `}`
	}
	const deleting = `,"deletionTimestamp":"2026-01-01T00:00:00Z"`
	for name, test := range map[string]struct {
		operation     Operation
		old, new      string
		rule, problem string // the rule that rejects it, or the error of the validation; "" if it is allowed with a warning
		warning       string
	}{
		"a good spec for a bad one": {
			operation: Update,
			old:       claim(bad, none),
			new:       claim(good, none),
			warning:   "is not compared with the stored one",
		},
		"an invalid spec for a bad one": {
			operation: Update, old: claim(bad, none), new: claim(invalid, none),
			rule: "device-class-name-is-subdomain",
		},
		"a bad spec for a bad one": {
			operation: Update,
			old:       claim(bad, none),
			new:       claim(bad, none, `,"labels":{"a":"b"}`),
			problem:   "allocationMode",
		},
		"a bad spec of one that is being deleted": {
			operation: Update, old: claim(bad, none), new: claim(bad, none, deleting),
			warning: "being deleted",
		},
		"a good spec under a bad status": {
			operation: Update,
			old:       claim(good, nonsense),
			new:       claim(good, nonsense, `,"labels":{"a":"b"}`),
			warning:   "the status is not validated",
		},
		"another spec under a bad status": {
			operation: Update,
			old:       claim(good, nonsense),
			new:       claim(strings.Replace(good, ":1", ":2", 1), nonsense),
			rule:      "spec-is-immutable",
		},
		"an expression too dear for a bad spec": {
			operation: Update,
			old:       claim(bad, none),
			new: claim(strings.Replace(good, `"count":1`, `"count":1,"selectors":[{"cel":{"expression":"`+nested+`"}}]`,
				1),
				none),
			rule: "selector-expression-compiles",
		},
		"a status over a bad spec": {
			operation: UpdateStatus, old: claim(bad, none), new: claim(bad, allocated),
			warning: "the spec is not validated",
		},
		"a changed allocation over a bad spec": {
			operation: UpdateStatus, old: claim(bad, allocated), new: claim(bad, changed),
			rule: "allocation-is-immutable",
		},
		"a good status for a bad one": {
			operation: UpdateStatus,
			old:       claim(good, nonsense),
			new:       claim(good, allocated),
			warning:   "is not compared with the stored one",
		},
		"results of an unknown request": {
			operation: UpdateStatus,
			old:       claim(good, nonsense),
			new:       claim(good, strings.Replace(allocated, `"request":"gpu"`, `"request":"nic"`, 1)),
			rule:      "referenced-request-exists",
		},
		"an invalid status for a bad one": {
			operation: UpdateStatus, old: claim(good, nonsense), new: claim(good, unused),
			rule: "reservation-needs-allocation",
		},
		"a bad status for a bad one": {
			operation: UpdateStatus, old: claim(good, nonsense), new: claim(good, nonsense),
			problem: "reservedFor",
		},
		"a good status where all is bad": {
			operation: UpdateStatus,
			old:       claim(bad, nonsense),
			new:       claim(bad, allocated),
			warning:   "is not compared with the stored one",
		},
		"a status of one that is being deleted": {
			operation: UpdateStatus, old: claim(bad, nonsense, deleting),
			new: claim(bad, nonsense, deleting), warning: "being deleted",
		},
		"a deletionTimestamp of null": {
			operation: Update,
			old:       claim(bad, none),
			new:       claim(bad, none, `,"deletionTimestamp":null`),
			problem:   "allocationMode",
		},
		"a good object is validated as ever": {
			operation: Update,
			old:       claim(good, none),
			new:       claim(bad, none),
			problem:   "object: spec.devices.requests[0].exactly.allocationMode",
		},
		"a write that ends the deletion is validated": {
			operation: Update, old: claim(bad, none, deleting), new: claim(bad, none),
			problem: "allocationMode",
		},
		"a first status that is invalid": {
			operation: UpdateStatus, old: claim(bad, nonsense), new: claim(bad, unused),
			rule: "reservation-needs-allocation",
		},
		"results of nothing where all is bad": {
			operation: UpdateStatus,
			old:       claim(bad, nonsense),
			new:       claim(good, strings.Replace(allocated, `"request":"gpu"`, `"request":"nic"`, 1)),
			rule:      "referenced-request-exists",
		},
		"a spec that is null for a bad one": {
			operation: Update,
			old:       claim(bad, none),
			new:       claim("null", allocated),
			warning:   "is not compared with the stored one",
		},
		"a good object that is deleted is no excuse": {
			operation: Update,
			old:       claim(good, none, deleting),
			new:       claim(bad, none, deleting),
			problem:   "object: spec.devices.requests[0].exactly.allocationMode",
		},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Validate(t.Context(), Request{
				Operation: test.operation, OldObject: []byte(test.old), Object: []byte(test.new),
			})
			switch {
			case test.problem != "":
				if err == nil || !strings.Contains(err.Error(), test.problem) {
					t.Errorf("want an error about %s, got %v, %v", test.problem, err, formatErrors(result.Errors))
				}
			case err != nil:
				t.Error(err)
			case test.rule != "":
				if len(result.Errors) != 1 || result.Errors[0].Rule != test.rule {
					t.Errorf("want rule %s, got %v", test.rule, formatErrors(result.Errors))
				}
			case len(result.Errors) > 0 || len(result.Warnings) != 1 ||
				!strings.Contains(result.Warnings[0], test.warning) ||
				!strings.Contains(result.Warnings[0], "cannot be read"):
				t.Errorf("errors %v, warnings %q", formatErrors(result.Errors), result.Warnings)
			}
		})
	}
}

// TestOnlyTheStoredVersionRepairs: an older version can change the stored status by an annotation, which could not be
// compared with the unreadable one.
func TestOnlyTheStoredVersionRepairs(t *testing.T) {
	broken := strings.Replace(claimV1alpha2, `"gpu"}}`, `7}}`, 1)
	_, err := Validate(t.Context(), Request{Operation: Update, OldObject: []byte(broken), Object: []byte(claimV1alpha2)})
	if err == nil || !strings.Contains(err.Error(), "oldObject: spec.resourceClassName") ||
		!strings.HasSuffix(err.Error(), "v1") {
		t.Errorf("%v", err)
	}
}

// TestARejectedRepairHasNoWarnings: only allowed writes have warnings.
func TestARejectedRepairHasNoWarnings(t *testing.T) {
	const object = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{%s}}]}}}`
	result, err := Validate(t.Context(), Request{
		Operation: Update,
		OldObject: fmt.Appendf(nil, object, `"allocationMode":5`),
		Object:    fmt.Appendf(nil, object, `"deviceClassName":""`),
	})
	if err != nil || len(result.Errors) == 0 || len(result.Warnings) > 0 {
		t.Errorf("%v, %q, %v", formatErrors(result.Errors), result.Warnings, err)
	}
}

// TestOnlyAnObjectRepairs: the error is about the new object.
func TestOnlyAnObjectRepairs(t *testing.T) {
	const bad = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu"},"spec":7}`
	for name, test := range map[string]struct{ object, problem string }{
		"the same again":      {bad, "object: spec"},
		"an array":            {`[]`, "object: "},
		"text after the end":  {bad + "x", "object: "},
		"a spec of two kinds": {strings.Replace(bad, `7`, `{"devices":7}`, 1), "object: spec.devices"},
	} {
		_, err := Validate(t.Context(), Request{Operation: Update, OldObject: []byte(bad), Object: []byte(test.object)})
		if err == nil || !strings.HasPrefix(err.Error(), test.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDroppedStructuredDataIsExplained is about v1alpha2 before 1.30, which had no structuredData.
func TestDroppedStructuredDataIsExplained(t *testing.T) {
	claim := func(handles, consumers string) []byte {
		return []byte(strings.Replace(claimV1alpha2, `"gpu"}}`,
			`"gpu"},"status":{"driverName":"gpu.example.com","allocation":{"shareable":true,"resourceHandles":`+
				handles+`},"reservedFor":`+consumers+`}}`, 1))
	}
	const (
		structured = `[{"driverName":"gpu.example.com","structuredData":{"nodeName":"a",` +
			`"results":[{"namedResources":{"name":"gpu-0"}}]}},{"driverName":"b.example.com","data":"x"}]`
		dropped  = `[{"driverName":"gpu.example.com"},{"driverName":"b.example.com","data":"x"}]`
		other    = `[{"driverName":"gpu.example.com"},{"driverName":"b.example.com","data":"y"}]`
		fewer    = `[{"driverName":"gpu.example.com"}]`
		consumer = `[{"resource":"pods","name":"a","uid":"1"}]`
	)
	for name, test := range map[string]struct {
		old, new string
		explain  bool
	}{
		"the data is dropped":            {structured, dropped, true},
		"and something else is changed":  {structured, other, false},
		"and a handle is missing":        {structured, fewer, false},
		"there was none, and it changes": {dropped, other, false},
		"data is added":                  {dropped, structured, false},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Validate(t.Context(), Request{
				Operation: UpdateStatus, OldObject: claim(test.old, "[]"), Object: claim(test.new, consumer),
			})
			if err != nil || len(result.Errors) != 1 || result.Errors[0].Rule != "allocation-is-immutable" {
				t.Fatalf("%v, %v", formatErrors(result.Errors), err)
			}
			if got := strings.Contains(result.Errors[0].Detail, "1.27 to 1.29"); got != test.explain {
				t.Errorf("%s", result.Errors[0].Detail)
			}
		})
	}
}
