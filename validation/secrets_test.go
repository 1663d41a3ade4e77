package validation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const secret = "hunter2"

// credentials may be in these fields, and in all that is below them.
var credentials = []string{
	".data",
	".resourceHandle",
	".parameters",
	".vendorClassParameters",
	".vendorClaimParameters",
	".vendorRequestParameters",
	".claimbridgeLeftover",
}

// plant writes the secret to the nth text of an object, and returns its path, or "" if there are fewer.
func plant(t *testing.T, object []byte, nth int) (planted []byte, at string) {
	t.Helper()
	var o any
	must.Do(t, json.Unmarshal(object, &o))
	n := 0
	var walk func(value any, path string)
	walk = func(value any, path string) {
		visit := func(child any, path string, set func(any)) {
			if text, ok := child.(string); ok && path != ".apiVersion" && path != ".kind" {
				if n == nth {
					at = path
					set(text + secret)
				}
				n++
				return
			}
			walk(child, path)
		}
		switch v := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key], path+"."+key, func(text any) { v[key] = text })
			}
		case []any:
			for i := range v {
				visit(v[i], fmt.Sprintf("%s[%d]", path, i), func(text any) { v[i] = text })
			}
		}
	}
	walk(o, "")
	if at == "" {
		return object, ""
	}
	return encode(t, o), at
}

// mustOmitValue matches errors that must not contain a value: those about immutability and length, and all of
// claimbridge.
func mustOmitValue(e Error) bool {
	return e.Type == field.ErrorTypeTooLong || e.Type == field.ErrorTypeTooMany ||
		strings.Contains(e.Detail, "immutable") ||
		strings.Contains(e.Detail, "may not be longer") || isClaimbridgeRule(e.Rule)
}

// Responses are written to audit logs, and handles and parameters may be credentials.
func TestResultsContainNoSecretOfAnyField(t *testing.T) {
	const most = 40 // texts of an object; the long lists of some examples repeat themselves
	reported := map[bool]int{}
	for file, e := range examples(t, "*/bad-*.yaml") {
		for _, both := range []bool{true, false} { // in the old object as well, or as a change
			if both && e.request.OldObject == nil {
				continue
			}
			for nth := range most {
				r := e.request
				planted, at := plant(t, r.Object, nth)
				if at == "" {
					break
				}
				r.Object = planted
				if both {
					r.OldObject, _ = plant(t, r.OldObject, nth)
				}
				result, err := Validate(t.Context(), r)
				if err != nil {
					if strings.Contains(err.Error(), secret) {
						t.Errorf("%s: %s: the error tells the secret: %v", file, at, err)
					}
					continue
				}
				hidden := false
				for _, path := range credentials {
					hidden = hidden || strings.HasSuffix(at, path) || strings.Contains(at, path+".") ||
						strings.Contains(at, path+"[")
				}
				for _, refusal := range result.Errors {
					text := refusal.Error.Error() + fmt.Sprint(refusal.BadValue) + refusal.Detail
					if !hidden && !mustOmitValue(refusal) {
						continue
					}
					reported[hidden]++
					if strings.Contains(text, secret) {
						t.Errorf("%s: %s: %s tells the secret: %.300s", file, at, refusal.Rule, text)
					}
				}
				for _, warning := range result.Warnings {
					if strings.Contains(warning, secret) {
						t.Errorf("%s: %s: a warning tells the secret: %s", file, at, warning)
					}
				}
			}
		}
	}
	if reported[true] < 50 || reported[false] < 500 {
		t.Errorf("only %d errors about credentials and %d quiet ones were looked at", reported[true], reported[false])
	}
}

// The error for an unreadable object has the path.
func TestErrorsContainNoSecrets(t *testing.T) {
	for _, object := range []string{
		`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim",` +
			`"status":{"allocation":{"resourceHandle":["hunter2"]}}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",` +
			`"status":{"allocation":{"resourceHandles":["hunter2"]}}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim",` +
			`"status":{"allocation":{"resourceHandle":"hunter2`,
	} {
		_, err := Validate(t.Context(), Request{Operation: Create, Object: []byte(object)})
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: error is %v", object, err)
		}
	}
}
