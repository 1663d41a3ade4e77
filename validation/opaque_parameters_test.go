package validation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestParametersAreObjects: what is not an object, or has a number out of range, is rejected. What is accepted without
// parsing is also accepted by parsing.
func TestParametersAreObjects(t *testing.T) {
	taken := 0
	for _, raw := range []string{
		`{}`,
		` {"a": [1, -2.5, "x\u00e9"], "b": {"c": null}} `,
		`{"a":"9e9"}`,
		`{"a":1e2}`,
		`{"a":1e400}`,
		`{"a":1E+400}`,
		`{"a":` + strings.Repeat("9", 299) + `}`,
		`{"a":` + strings.Repeat("9", 310) + `}`,
		`{"a":"` + strings.Repeat("9", 310) + `"}`,
		``,
		`null`,
		`[]`,
		`"x"`,
		`1`,
		`{`,
		`{}}`,
		`{"a"}`,
		`{"a":01}`,
		`{"a":1.}`,
		`{'a':1}`,
		`{"a":tru}`,
		"{\"a\":\"\n\"}",
		`{"a":"\x"}`,
		`{"a":"\u12"}`,
		`{"a":1,}`,
		strings.Repeat(`{"a":`, 9_999) + `{}` + strings.Repeat(`}`, 9_999),
		strings.Repeat(`{"a":`, 10_001) + `{}` + strings.Repeat(`}`, 10_001),
	} {
		var parsed any
		err := json.Unmarshal([]byte(raw), &parsed)
		_, object := parsed.(map[string]any)
		rejected := len(validateParameters([]byte(raw), field.NewPath("parameters"))) > 0
		if rejected != (err != nil || !object) {
			t.Errorf("%.60s is rejected %v: %v", raw, rejected, err)
		}
		if isObjectInRange([]byte(raw)) {
			taken++
		}
	}
	if taken < 3 {
		t.Errorf("only %d are taken", taken)
	}
}

// TestUpdateValidatesLargeParametersUntil1_34: up to 1.34 an update validates the spec a second time as what is stored,
// where parameters of any size are parsed.
func TestUpdateValidatesLargeParametersUntil1_34(t *testing.T) {
	object := []byte(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"c",` +
		`"namespace":"d"},` +
		`"spec":{"devices":{"config":[{"opaque":{"driver":"driver.example.com","parameters":"` + strings.Repeat("a",
		maxParameters) + `"}}]}}}`)
	for release, want := range map[string][]string{
		"1.32": {"config-parameters-at-most-10-kib", "config-parameters-are-an-object"},
		"1.34": {"config-parameters-at-most-10-kib", "config-parameters-are-an-object"},
	} {
		for op, want := range map[Operation][]string{Create: want[:1], Update: want} {
			request := Request{Operation: op, Release: release, Object: object}
			if op == Update {
				request.OldObject = object
			}
			result := must.Get(Validate(t.Context(), request))(t)
			var got []string
			for _, e := range result.Errors {
				got = append(got, e.Rule)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s by %s (-want +got):\n%s", op, release, diff)
			}
		}
	}
}
