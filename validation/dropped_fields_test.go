package validation

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestDroppedFields(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Release           string
		Operation         Operation
		Object, OldObject objects.JSON
		Want              []Dropped
	}](t, "testdata/dropped.yaml") {
		got, err := DroppedFields(Request{
			Operation: test.Operation, Object: []byte(test.Object), OldObject: []byte(test.OldObject),
			Release: test.Release,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.Want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestChangedDroppedFieldsNameTheField verifies that each version has the same error for a field that the release
// drops, instead of one about preserved data.
func TestChangedDroppedFieldsNameTheField(t *testing.T) {
	const (
		claim = `{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"c"},` +
			`"spec":{"devices":{"requests":[%s]}}}`
		template = `{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaimTemplate","metadata":{"name":"c"},` +
			`"spec":{"spec":{"devices":{"requests":[%s]}}}}`
		request     = `{"name":"r","deviceClassName":"gpu","allocationMode":"All"}`
		adminAccess = `{"name":"r","deviceClassName":"gpu","allocationMode":"All","adminAccess":true}`
	)
	for _, version := range []string{"v1alpha3", "v1beta1"} {
		for format, want := range map[string]string{claim: "spec", template: "spec.spec"} {
			result := must.Get(Validate(t.Context(), Request{
				Operation: Update, Release: "1.33",
				OldObject: fmt.Appendf(nil, format, version, request),
				Object:    fmt.Appendf(nil, format, version, adminAccess),
			}))(t)
			if len(result.Errors) != 1 || result.Errors[0].Rule != "dropped-field-is-unchanged" ||
				result.Errors[0].Field != want {
				t.Errorf("%s: want an error at %s, got %v", version, want, formatErrors(result.Errors))
			}
		}
	}
}
