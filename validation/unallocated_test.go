package validation

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
)

// What is reported of devices of a claim that is not allocated stays when a write of the main resource drops the annotation, or brings
// one: the field has it, which such a write cannot touch. A spec that is dropped is refused.
func TestReportsWithoutAnAllocationAreKept(t *testing.T) {
	const stored = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default","uid":"u"},` +
		`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}},` +
		`"status":{"devices":[{"driver":"d.example.com","pool":"p","device":"a","shareID":"15d0a0ba-1111-4111-8111-111111111111"},{"driver":"d.example.com","pool":"p","device":"b"}]}}`
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3"} {
		shown, _, err := conversion.JSON([]byte(stored), version, conversion.Options{})
		if err != nil {
			t.Fatal(err)
		}
		without := strings.Replace(string(shown), `"metadata":{`, `"metadata":{"generation":1,`, 1)
		at, end := strings.Index(without, `"annotations":{`), strings.Index(without, `},"spec"`)
		without = without[:at-1] + without[end:]
		spec := "stored-spec-is-unchanged: Forbidden"
		if version == "v1alpha3" { // which shows all of it
			spec = ""
		}
		for what, test := range map[string]struct {
			old, new string
			refused  string
		}{
			"labelled":                       {string(shown), strings.Replace(string(shown), `"metadata":{`, `"metadata":{"labels":{"a":"b"},`, 1), ""},
			"with the annotation taken away": {string(shown), without, spec},
			"with an annotation of its own":  {without, string(shown), spec},
		} {
			verdict, err := Judge(t.Context(), Request{Operation: Update, Object: []byte(test.new), OldObject: []byte(test.old)})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found(verdict.Errors), "; "); (got == "") != (test.refused == "") || !strings.HasPrefix(got, test.refused) {
				t.Errorf("%s, %s: %q", version, what, got)
			}
		}
		verdict, err := Judge(t.Context(), Request{Operation: UpdateStatus, Object: shown, OldObject: shown})
		if err != nil || len(verdict.Errors) > 0 {
			t.Errorf("%s: its own status: %v, %v", version, found(verdict.Errors), err)
		}
	}
}
