package validation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// selecting returns a claim with selectors in one request.
func selecting(t *testing.T, expressions ...string) []byte {
	t.Helper()
	var selectors []string
	for _, e := range expressions {
		quoted := must.Get(json.Marshal(e))(t)
		selectors = append(selectors, `{"cel":{"expression":`+string(quoted)+`}}`)
	}
	return []byte(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{"requests":[` +
		`{"name":"gpu","deviceClassName":"gpu","selectors":[` + strings.Join(selectors, ",") + `]}]}}}`)
}

// TestExpressionsAreLimitedByWeight, not by their number: more than a claim can have, each of them cheap.
func TestExpressionsAreLimitedByWeight(t *testing.T) {
	const all = 12_000
	var requests []string
	for first := 0; first < all; first += 1000 {
		var selectors []string
		for i := range 1000 {
			selectors = append(selectors, fmt.Sprintf(`{"cel":{"expression":"%d"}}`, first+i))
		}
		requests = append(requests,
			fmt.Sprintf(`{"name":"gpu-%d","deviceClassName":"gpu","selectors":[%s]}`, first,
				strings.Join(selectors, ",")))
	}
	result, err := Validate(t.Context(), Request{Operation: Create, Object: []byte(
		`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
			`"spec":{"devices":{"requests":[` + strings.Join(requests,
			",") + `]}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range result.Errors {
		count[e.Rule]++
	}
	if n := count["selector-expression-compiles"]; n <= 32*32 || n >= all {
		t.Errorf("errors are %v", count)
	}
}

var nested = strings.Repeat("[", 200) + strings.Repeat("]", 200) + "==[]"

func TestExpressionsBeyondTheLimitsAreRejectedAtTheirPath(t *testing.T) {
	result, err := Validate(t.Context(), Request{Operation: Create, Object: selecting(t, "true", nested)})
	if err != nil || len(result.Errors) != 1 {
		t.Fatalf("%v, %v", formatErrors(result.Errors), err)
	}
	e := result.Errors[0]
	if e.Rule != "selector-expression-compiles" ||
		e.Field != "spec.devices.requests[0].selectors[1].cel.expression" ||
		!strings.Contains(e.Detail, "the limit of claimbridge is 64") {
		t.Errorf("%v", e)
	}
}

// TestStoredExpressionsAreAccepted: it was stored before the limit, and the claim has finalizers.
func TestStoredExpressionsAreAccepted(t *testing.T) {
	stored := selecting(t, nested)
	labeled := []byte(strings.Replace(string(stored), `"name":"gpu"`, `"name":"gpu","labels":{"a":"b"}`, 1))
	result, err := Validate(t.Context(), Request{Operation: Update, OldObject: stored, Object: labeled})
	if err != nil || len(result.Errors) > 0 {
		t.Errorf("%v, %v", formatErrors(result.Errors), err)
	}
	result, err = Validate(t.Context(), Request{
		Operation: Update,
		OldObject: stored,
		Object:    selecting(t, nested, nested+"||true"),
	})
	if err != nil || len(result.Errors) != 2 { // and the spec is immutable
		t.Errorf("%v, %v", formatErrors(result.Errors), err)
	}
}

// TestAnExhaustedWriteHasOneError: many expressions beyond the budget have one error.
func TestAnExhaustedWriteHasOneError(t *testing.T) {
	var expressions []string
	for i := range 400 {
		expressions = append(expressions, fmt.Sprintf("%d==%d||", i, i)+strings.Repeat("string(1)==''||", 100)+"true")
	}
	result := must.Get(Validate(t.Context(), Request{Operation: Create, Object: selecting(t, expressions...)}))(t)
	together := 0
	for _, e := range result.Errors {
		if strings.Contains(e.Detail, "those before it") {
			together++
		}
	}
	if together != 1 {
		t.Errorf("%d errors of %d are about all expressions together", together, len(result.Errors))
	}
}

func TestValidationEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, r := range map[string]Request{
		"before the next expression": {Operation: Create, Object: selecting(t, "device.driver == 'never seen before'")},
		"before our own rules":       {Operation: Create, Object: []byte(claimV1alpha2)},
	} {
		result, err := Validate(ctx, r)
		if !errors.Is(err, context.Canceled) || len(result.Errors) > 0 {
			t.Errorf("%s: %v, %v", name, formatErrors(result.Errors), err)
		}
	}
}

// TestPreservedExpressionsAreLimited: data preserved in v1alpha2 has the selectors of v1alpha3.
func TestPreservedExpressionsAreLimited(t *testing.T) {
	older := convert(t, selecting(t, "true"), "v1alpha2")
	heavy := []byte(strings.Replace(string(older), `true`, nested, 1))
	if !strings.Contains(string(heavy), nested) {
		t.Fatalf("the preserved data quotes its expressions differently: %s", older)
	}
	result, err := Validate(t.Context(), Request{Operation: Create, Object: heavy})
	if err != nil || len(result.Errors) == 0 {
		t.Errorf("%v, %v", formatErrors(result.Errors), err)
	}
}
