package review

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Objects with many schema errors are rejected when defaults are set, before an API server compares each error with
// each other one. Other large objects get their defaults.
func TestLargeObjectsAreValidatedBeforeTheirSchema(t *testing.T) {
	const head = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"generateName":"a-",` +
		`"namespace":"b"},`
	many := func(item string) string { return strings.TrimSuffix(strings.Repeat(item+",", 600), ",") }
	keyed := func(value string) string {
		var b strings.Builder
		for i := range 600 {
			b.WriteString(`,"k` + strings.Repeat("0",
				i%9) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `":` + value)
		}
		return b.String()[1:]
	}
	capacity := func(entries string) string {
		return head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c",` +
			`"capacity":{"requests":{` + entries + `}}}}]}}}`
	}
	parameters := func(values string) string {
		return head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}],` +
			`"config":[{"opaque":{"driver":"d","parameters":{"v":[` + values + `]}}}]}}}`
	}
	tests := map[string]struct {
		object  string
		message string
	}{
		"empty requests": {
			head + `"spec":{"devices":{"requests":[` + many(`{}`) + `]}}}`,
			"spec.devices.requests: Too many",
		},
		"requests of a wrong type": {
			head + `"spec":{"devices":{"requests":[` + many(`1`) + `]}}}`,
			"spec.devices.requests[0]",
		},
		"empty constraints": {
			head + `"spec":{"devices":{"constraints":[` + many(`{}`) + `]}}}`,
			"spec.devices.constraints: Too many",
		},
		"capacities of a wrong type": {capacity(keyed(`{}`)), "600 quantities"},
		"fractions without quotes":   {capacity(keyed(`1.5`)), "600 quantities"},
		"numbers beyond 64 bits":     {capacity(keyed(`9999999999999999999`)), "600 quantities"},
		"quantities with blanks":     {capacity(keyed(`" 1"`)), "600 quantities"},
		"signs without a number":     {capacity(keyed(`"+"`)), "600 quantities"},
		"null tolerations": {
			head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","tolerations":[` +
				many(`null`) + `]}}]}}}`,
			"600 items of lists are null",
		},
		"fields of a later release": {
			head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","derivedAttributes":[` +
				many(`{}`) + `]}}]}}}`,
			"600 derived attributes",
		},
		"few long names": {
			capacity(strings.ReplaceAll(keyed(`1.5`), "000", strings.Repeat("k", 300))),
			"600 quantities",
		},
		"a long name":                {capacity(`"` + strings.Repeat("k", 20_000) + `":1.5`), ""},
		"valid capacities":           {capacity(keyed(`"1.5"`)), ""},
		"parameters may be anything": {parameters(many(`null`) + `,1.5`), ""},
	}
	s := newServer(t, Options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			response := reviews.DecodeAdmission(t,
				serve(s, reviews.NewRequest("/default", defaultsOf("v1", "CREATE", "", test.object)))).Response
			if response.Allowed != (test.message == "") {
				t.Fatalf("allowed: %v, %+v", response.Allowed, response.Result)
			}
			if test.message == "" {
				if len(patchOf(t, response)) != 2 {
					t.Errorf("patch %s", response.Patch)
				}
				return
			}
			if !strings.Contains(response.Result.Message, test.message) || response.Patch != nil {
				t.Errorf("%.300s", response.Result.Message)
			}
		})
	}
}

// A release that drops a field does not validate it, and a schema does.
func TestLargeObjectsAreValidatedByTheReleaseOfTheSchema(t *testing.T) {
	releases := must.Get(ReleasesOf("1.33"))(t)
	object := `{"apiVersion":"resource.k8s.io/v1beta2","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"namespace":"b"},"spec":{"devices":{"requests":[` +
		`{"name":"r","exactly":{"deviceClassName":"c"},"firstAvailable":[` + strings.TrimSuffix(strings.Repeat(`{},`,
		600),
		",") + `]}]}}}`
	s := newServer(t, Options{Releases: releases})
	response := reviews.DecodeAdmission(t,
		serve(s, reviews.NewRequest("/default", defaultsOf("v1beta2", "CREATE", "", object)))).Response
	if response.Allowed {
		t.Error("the schema would validate the object")
	}
}

// A write that does not change the spec is allowed with any content, such as one of labels, or the removal of
// finalizers. A write of the main resource does not write the status.
func TestStoredLargeSpecsAreAccepted(t *testing.T) {
	object := func(metadata, requests, status string) string {
		return `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"b",` +
			metadata + `},` +
			`"spec":{"devices":{"requests":[` + requests + `]}},"status":` + status + `}`
	}
	many := func(name string) string { return strings.TrimSuffix(strings.Repeat(`{"name":"`+name+`"},`, 600), ",") }
	one := `{"name":"r","exactly":{"deviceClassName":"c"}}`
	fractions := strings.TrimSuffix(strings.Repeat(`{"name":"r","exactly":{"capacity":{"requests":{"k":1.5}}}},`, 600),
		",")
	long := `"annotations":{"long":"` + strings.Repeat("x", 20_000) + `"}`
	s := newServer(t, Options{})
	for name, test := range map[string]struct {
		operation, object, old string
		allowed                bool
	}{
		"a label": {
			operation: "UPDATE",
			object:    object(`"labels":{"a":"b"}`, many("r"), "{}"),
			old:       object(`"labels":{}`, many("r"), "{}"),
			allowed:   true,
		},
		"a label of an object with invalid capacities": {
			operation: "UPDATE",
			object:    object(`"labels":{"a":"b"}`, fractions, "{}"),
			old:       object(`"labels":{}`, fractions, "{}"),
			allowed:   true,
		},
		"an additional request with invalid capacities": {
			operation: "UPDATE",
			object:    object(`"labels":{}`, fractions+",{}", "{}"),
			old:       object(`"labels":{}`, fractions, "{}"),
		},
		"another spec": {
			operation: "UPDATE",
			object:    object(long, many("s"), "{}"),
			old:       object(long, many("r"), "{}"),
		},
		"a status of another type": {
			operation: "CREATE",
			object:    object(long, one, `{"reservedFor":7}`),
			old:       "null",
			allowed:   true,
		},
	} {
		body := strings.ReplaceAll(reviews.Admission(test.operation, "", test.object, test.old), `"version":"v1alpha2"`,
			`"version":"v1"`)
		response := reviews.DecodeAdmission(t, serve(s, reviews.NewRequest("/default", body))).Response
		if response.Allowed != test.allowed {
			t.Errorf("%s: allowed: %v, %.300v", name, response.Allowed, response.Result)
		}
	}
}
