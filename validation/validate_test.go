package validation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const claimV1alpha2 = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
	`"spec":{"resourceClassName":"gpu"}}`

func TestInvalidRequestsAreErrors(t *testing.T) {
	template := strings.Replace(claimV1alpha2, "ResourceClaim", "ResourceClaimTemplate", 1)
	for name, test := range map[string]struct {
		request Request
		want    string // part of the error
	}{
		"an unknown operation": {
			Request{Operation: "CONNECT", Object: []byte(claimV1alpha2)},
			`operation "CONNECT"`,
		},
		"no object": {Request{Operation: Create}, "object: is required for CREATE"},
		"no old object": {
			Request{Operation: Update, Object: []byte(claimV1alpha2)},
			"oldObject: is required for UPDATE",
		},
		"an old object on create": {
			Request{Operation: Create, Object: []byte(claimV1alpha2), OldObject: []byte(claimV1alpha2)},
			"oldObject: must be empty for CREATE",
		},
		"not JSON": {Request{Operation: Create, Object: []byte("spec: {}")}, "object: "},
		"a truncated object": {
			Request{Operation: Create, Object: []byte(claimV1alpha2[:len(claimV1alpha2)-1])},
			"object: ",
		},
		"null": {
			Request{Operation: Create, Object: []byte("null")},
			"apiVersion: no rules",
		},
		"another kind": {
			Request{
				Operation: Create,
				Object:    []byte(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClass"}`),
			},
			"ResourceClass",
		},
		"a version of later": {
			Request{Operation: Create, Object: []byte(`{"apiVersion":"resource.k8s.io/v2","kind":"ResourceClaim"}`)},
			"resource.k8s.io/v2",
		},
		"a release of another version": {
			Request{Operation: Create, Object: []byte(claimV1alpha2), Release: "1.36"},
			"must be one of 1.30",
		},
		"a spec that is a text": {
			Request{
				Operation: Create,
				Object:    []byte(strings.Replace(claimV1alpha2, `{"resourceClassName":"gpu"}`, `"gpu"`, 1)),
			},
			"spec",
		},
		"a class that is a number": {
			Request{Operation: Create, Object: []byte(strings.Replace(claimV1alpha2, `"gpu"}}`, `1}}`, 1))},
			"spec.resourceClassName",
		},
		"an old object of another kind": {
			Request{Operation: Update, Object: []byte(claimV1alpha2), OldObject: []byte(template)},
			"oldObject: version and kind v1alpha2 ResourceClaimTemplate: must be those of object, v1alpha2 ResourceClaim",
		},
		"the status of a template": {
			Request{Operation: UpdateStatus, Object: []byte(template), OldObject: []byte(template)},
			"no status",
		},
		"an old object of another version": {
			Request{
				Operation: Update,
				Object:    []byte(claimV1alpha2),
				OldObject: []byte(strings.Replace(claimV1alpha2, "v1alpha2", "v1alpha1", 1)),
			},
			"oldObject: version and kind v1alpha1 ResourceClaim: must be those of object, v1alpha2 ResourceClaim",
		},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Validate(t.Context(), test.request)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
			if len(result.Errors) > 0 {
				t.Errorf("there is a result as well: %v", formatErrors(result.Errors))
			}
		})
	}
}

func TestDeleteIsAlwaysAllowed(t *testing.T) {
	for _, old := range []string{"", "not JSON", claimV1alpha2} {
		result, err := Validate(t.Context(), Request{Operation: Delete, OldObject: []byte(old)})
		if err != nil || len(result.Errors) > 0 {
			t.Errorf("deleting %q: %v, %v", old, result.Errors, err)
		}
	}
}

func TestAnyGroupIsValidated(t *testing.T) {
	object := strings.Replace(claimV1alpha2, "resource.k8s.io", "claims.example.com", 1)
	result := must.Get(Validate(t.Context(), Request{
		Operation: Create,
		Object:    []byte(strings.Replace(object, `"gpu"}}`, `""}}`, 1)),
	}))(t)
	want := []string{"resource-class-name-is-subdomain: Invalid spec.resourceClassName"}
	if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// TestEmptyMembersAreValidated where a member must be absent, also in an object that is encoded again because of an
// unknown field.
func TestEmptyMembersAreValidated(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"a"},` +
		`"spec":{"metadata":{"managedFields":[]},"unknown":1}}`
	result, err := Validate(t.Context(), Request{Operation: Create, Object: []byte(object)})
	want := []string{"template-metadata-has-only-labels-and-annotations: Forbidden spec.metadata.managedFields"}
	if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" || err != nil {
		t.Errorf("%v, errors (-want +got):\n%s", err, diff)
	}
}

func TestErrorsAreLimited(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{"requests":[` +
		strings.TrimSuffix(strings.Repeat(`{"selectors":[{},{},{},{},{},{},{},{},{},{}]},`, 1000), ",") + `]}}}`
	result, err := Validate(t.Context(), Request{Operation: Create, Object: []byte(object)})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Errors) != maxErrors {
		t.Errorf("%d errors, want %d", len(result.Errors), maxErrors)
	}
	long := strings.Repeat("x", 1<<20)
	result, err = Validate(t.Context(), Request{
		Operation: Create,
		Object:    []byte(strings.Replace(claimV1alpha2, `"gpu"}}`, `"`+long+`_"}}`, 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(formatErrors(result.Errors), result.Errors[0].Error.Error())
	if len(result.Errors) == 0 || len(text) > 4096 {
		t.Errorf("%d errors of %d bytes for a name of a mebibyte", len(result.Errors), len(text))
	}
}

func TestErrorsOfARuleAreInTheOrderOfTheObject(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"status":{"allocation":{},"reservedFor":[` +
		strings.TrimSuffix(strings.Repeat(`{"resource":"pods","name":"a","uid":"a"},`, 20), ",") + `]}}`
	result := must.Get(Validate(t.Context(), Request{
		Operation: UpdateStatus, Object: []byte(object), OldObject: []byte(object),
	}))(t)
	for i, e := range result.Errors {
		if want := fmt.Sprintf("status.reservedFor[%d].uid", i+1); e.Field != want {
			t.Errorf("error %d is of %s, want %s", i, e.Field, want)
		}
	}
	if len(result.Errors) != 19 {
		t.Errorf("%d errors", len(result.Errors))
	}
}
