package validation

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// TestParametersAreComparedAsJSON in all fields with parameters, as two files have them. An API server would have
// encoded both again.
func TestParametersAreComparedAsJSON(t *testing.T) {
	const (
		config = `"config":[{"source":"FromClaim","opaque":{"driver":"gpu.example.com","parameters":PARAMETERS}}]`
		claim  = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},"spec":`
		spec   = `{"devices":{"requests":[{"name":"gpu","deviceClassName":"gpu"}]`
		result = `"results":[{"request":"gpu","driver":"gpu.example.com","pool":"a","device":"b"}]`
		wanted = `"config":[{"opaque":{"driver":"gpu.example.com","parameters":PARAMETERS}}]`
	)
	handle := func(data, result string) string {
		return `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
			`"spec":{"resourceClassName":"gpu"},"status":{` +
			`"driverName":"gpu.example.com","allocation":{"resourceHandles":[{"driverName":"gpu.example.com",` +
			`"structuredData":{"nodeName":"a"` +
			data + `,"results":[{"namedResources":{"name":"gpu-0"}` + result + `}]}}]}}}`
	}
	places := map[string]struct {
		operation Operation
		object    string
		rule      string
	}{
		"the configuration of a claim": {Update, claim + spec + `,` + wanted + `}}}`, "spec-is-immutable"},
		"the configuration of a template": {Update, strings.Replace(claim, `"ResourceClaim"`, `"ResourceClaimTemplate"`,
			1) +
			`{"spec":` + spec + `,` + wanted + `}}}}`, "spec-is-immutable"},
		"the configuration of an allocation": {
			UpdateStatus, claim + spec + `}},"status":{"allocation":{"devices":{` +
				result + `,` + config + `}}}}`,
			"allocation-is-immutable",
		},
		"what a class says of a handle": {
			UpdateStatus,
			handle(`,"vendorClassParameters":PARAMETERS`, ""),
			"allocation-is-immutable",
		},
		"what a claim says of a handle": {
			UpdateStatus,
			handle(`,"vendorClaimParameters":PARAMETERS`, ""),
			"allocation-is-immutable",
		},
		"what a request says of a handle": {
			UpdateStatus,
			handle("", `,"vendorRequestParameters":PARAMETERS`),
			"allocation-is-immutable",
		},
	}
	with := func(object, parameters string) []byte {
		return []byte(strings.Replace(object, "PARAMETERS", parameters, 1))
	}
	const before = `{"a":"<","b":{"c":1,"d":[]}}`
	for name, p := range places {
		for how, test := range map[string]struct {
			after string
			same  bool
		}{
			"the same bytes":         {before, true},
			"another order":          {`{"b":{"d":[],"c":1},"a":"<"}`, true},
			"other escapes":          {`{"a":"\u003c","b":{"c":1,"d":[]}}`, true},
			"indented":               {"{\n \"a\": \"<\", \"b\": {\"c\": 1, \"d\": []}}", true},
			"another value":          {`{"a":">","b":{"c":1,"d":[]}}`, false},
			"a list that was empty":  {`{"a":"<","b":{"c":1}}`, false},
			"a member that is null":  {`{"a":"<","b":{"c":1,"d":[]},"e":null}`, false},
			"none of what was there": {`{}`, false},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				result, err := Validate(t.Context(), Request{
					Operation: p.operation, OldObject: with(p.object, before),
					Object: with(p.object, test.after),
				})
				switch {
				case err != nil:
					t.Fatal(err)
				case test.same && len(result.Errors) > 0, !test.same && (len(result.Errors) != 1 ||
					result.Errors[0].Rule != p.rule):
					t.Errorf("%v", formatErrors(result.Errors))
				}
			})
		}
	}
}

// TestEmptyParametersDiffer: to a driver they may mean different things.
func TestEmptyParametersDiffer(t *testing.T) {
	nothing := []string{"", "null", "{}", "[]", `""`, "0", "false", `{"a":null}`}
	for i, a := range nothing {
		for j, b := range nothing {
			got := equalParameters(runtime.RawExtension{Raw: []byte(a)}, runtime.RawExtension{Raw: []byte(b)})
			if got != (i == j) {
				t.Errorf("%q and %q: %v", a, b, got)
			}
		}
	}
}
