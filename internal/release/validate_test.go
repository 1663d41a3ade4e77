package release

import (
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// The effect None of a toleration was added in 1.35, and v1alpha3 preserves it in an annotation. The webhook validates
// by the same table.
func TestStoredObjectIsValidatedWithRelease(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"namespace":"default"},"spec":{"devices":{"requests":[` +
		`{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,` +
		`"tolerations":[{"key":"k","operator":"Exists","effect":"None"}]}}]}}}`
	for version, allowed := range map[string]map[string]bool{
		"v1":       {"": true, "1.31": true, "1.34": false, "1.35": true, "1.37": true},
		"v1alpha3": {"": true, "1.31": true, "1.34": false, "1.35": true, "1.37": true},
	} {
		object, _ := must.Get2(conversion.ConvertJSON([]byte(claim), version, conversion.Options{}))(t)
		for release, want := range allowed {
			result := must.Get(Validate(validation.Request{Operation: validation.Create, Object: object}, version,
				release))(t)
			if got := len(result.Errors) == 0; got != want {
				t.Errorf("%s by %q: allowed is %v, want %v: %v", version, release, got, want, result.Errors)
			}
		}
	}
}
