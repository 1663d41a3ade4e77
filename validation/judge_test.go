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

func TestRequestsThatCannotBeJudgedAreErrors(t *testing.T) {
	template := strings.Replace(claimV1alpha2, "ResourceClaim", "ResourceClaimTemplate", 1)
	for name, test := range map[string]struct {
		request Request
		want    string // part of the error
	}{
		"an unknown operation": {
			Request{Operation: "CONNECT", Object: []byte(claimV1alpha2)},
			`operation "CONNECT"`,
		},
		"no object": {Request{Operation: Create}, "CREATE without an object"},
		"no old object": {
			Request{Operation: Update, Object: []byte(claimV1alpha2)},
			"UPDATE without an old object",
		},
		"an old object on create": {
			Request{Operation: Create, Object: []byte(claimV1alpha2), OldObject: []byte(claimV1alpha2)},
			"CREATE with an old object",
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
			"only of 1.30",
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
			"the old object is a ResourceClaimTemplate",
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
			"of v1alpha1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := Judge(t.Context(), test.request)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
			if len(verdict.Errors) > 0 {
				t.Errorf("there is a verdict as well: %v", found(verdict.Errors))
			}
		})
	}
}

func TestDeletionIsAlwaysAllowed(t *testing.T) {
	for _, old := range []string{"", "not JSON", claimV1alpha2} {
		verdict, err := Judge(t.Context(), Request{Operation: Delete, OldObject: []byte(old)})
		if err != nil || len(verdict.Errors) > 0 {
			t.Errorf("deleting %q: %v, %v", old, verdict.Errors, err)
		}
	}
}

func TestAnyGroupIsJudged(t *testing.T) {
	object := strings.Replace(claimV1alpha2, "resource.k8s.io", "claims.example.com", 1)
	verdict := must.Get(Judge(t.Context(), Request{
		Operation: Create,
		Object:    []byte(strings.Replace(object, `"gpu"}}`, `""}}`, 1)),
	}))(t)
	want := []string{"resource-class-name-is-subdomain: Invalid spec.resourceClassName"}
	if diff := cmp.Diff(want, found(verdict.Errors)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// What is empty counts where nothing may stand, also in an object that is written anew for a field that nobody knows.
func TestWhatIsEmptyCounts(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"a"},` +
		`"spec":{"metadata":{"managedFields":[]},"unknown":1}}`
	verdict, err := Judge(t.Context(), Request{Operation: Create, Object: []byte(object)})
	want := []string{"template-metadata-has-only-labels-and-annotations: Forbidden spec.metadata.managedFields"}
	if diff := cmp.Diff(want, found(verdict.Errors)); diff != "" || err != nil {
		t.Errorf("%v, errors (-want +got):\n%s", err, diff)
	}
}

func TestVerdictsAreBounded(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{"requests":[` +
		strings.TrimSuffix(strings.Repeat(`{"selectors":[{},{},{},{},{},{},{},{},{},{}]},`, 1000), ",") + `]}}}`
	verdict, err := Judge(t.Context(), Request{Operation: Create, Object: []byte(object)})
	if err != nil {
		t.Fatal(err)
	}
	if len(verdict.Errors) != maxErrors {
		t.Errorf("%d errors, want %d", len(verdict.Errors), maxErrors)
	}
	long := strings.Repeat("x", 1<<20)
	verdict, err = Judge(t.Context(), Request{
		Operation: Create,
		Object:    []byte(strings.Replace(claimV1alpha2, `"gpu"}}`, `"`+long+`_"}}`, 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(found(verdict.Errors), verdict.Errors[0].Error.Error())
	if len(verdict.Errors) == 0 || len(text) > 4096 {
		t.Errorf("%d errors of %d bytes for a name of a mebibyte", len(verdict.Errors), len(text))
	}
}

func TestErrorsOfOneRuleStandInTheOrderOfTheObject(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"status":{"allocation":{},"reservedFor":[` +
		strings.TrimSuffix(strings.Repeat(`{"resource":"pods","name":"a","uid":"a"},`, 20), ",") + `]}}`
	verdict := must.Get(Judge(t.Context(), Request{
		Operation: UpdateStatus, Object: []byte(object), OldObject: []byte(object),
	}))(t)
	for i, e := range verdict.Errors {
		if want := fmt.Sprintf("status.reservedFor[%d].uid", i+1); e.Field != want {
			t.Errorf("error %d is of %s, want %s", i, e.Field, want)
		}
	}
	if len(verdict.Errors) != 19 {
		t.Errorf("%d errors", len(verdict.Errors))
	}
}
