package review

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// What a schema would refuse one by one is refused when defaults are set, before an API server compares each error with each other one; what is
// big for a good reason gets its defaults.
func TestBigIsJudgedBeforeItsSchema(t *testing.T) {
	const head = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"generateName":"a-","namespace":"b"},`
	many := func(item string) string { return strings.TrimSuffix(strings.Repeat(item+",", 600), ",") }
	keyed := func(value string) string {
		var b strings.Builder
		for i := range 600 {
			b.WriteString(`,"k` + strings.Repeat("0", i%9) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `":` + value)
		}
		return b.String()[1:]
	}
	capacity := func(entries string) string {
		return head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","capacity":{"requests":{` + entries + `}}}}]}}}`
	}
	parameters := func(values string) string {
		return head + `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}],` +
			`"config":[{"opaque":{"driver":"d","parameters":{"v":[` + values + `]}}}]}}}`
	}
	tests := map[string]struct {
		object  string
		refused string
	}{
		"empty requests":             {head + `"spec":{"devices":{"requests":[` + many(`{}`) + `]}}}`, "spec.devices.requests: Too many"},
		"requests of a wrong type":   {head + `"spec":{"devices":{"requests":[` + many(`1`) + `]}}}`, "spec.devices.requests[0]"},
		"constraints that are empty": {head + `"spec":{"devices":{"constraints":[` + many(`{}`) + `]}}}`, "spec.devices.constraints: Too many"},
		"capacities of a wrong type": {capacity(keyed(`{}`)), "spec.devices.requests[0].exactly.capacity.requests"},
		"fractions without quotes":   {capacity(keyed(`1.5`)), "more than 512 quantities"},
		"numbers beyond 64 bits":     {capacity(keyed(`9999999999999999999`)), "more than 512 quantities"},
		"quantities with blanks":     {capacity(keyed(`" 1"`)), "more than 512 quantities"},
		"capacities that are good":   {capacity(keyed(`"1.5"`)), ""},
		"parameters may be anything": {parameters(many(`null`) + `,1.5`), ""},
	}
	s := newServer(t, Options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			response := reviews.Admitted(t, serve(s, reviews.Post("/default", defaultsOf("v1", "CREATE", "", test.object)))).Response
			if response.Allowed != (test.refused == "") {
				t.Fatalf("allowed: %v, %+v", response.Allowed, response.Result)
			}
			if test.refused == "" {
				if len(patchOf(t, response)) != 2 {
					t.Errorf("patch %s", response.Patch)
				}
				return
			}
			if !strings.Contains(response.Result.Message, test.refused) || response.Patch != nil {
				t.Errorf("%.300s", response.Result.Message)
			}
		})
	}
}
