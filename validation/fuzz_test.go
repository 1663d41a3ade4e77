package validation

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzValidate looks for input that makes Validate panic, change its arguments, return different results for equal
// requests, or return an error without a rule or a field.
func FuzzValidate(f *testing.F) {
	for _, e := range examples(f, "*/*.yaml") {
		f.Add(string(e.request.Operation), e.request.OldObject, e.request.Object)
	}
	f.Add("UPDATE", []byte(`null`), []byte(`{}`))
	f.Add("CREATE", []byte(nil),
		[]byte(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":null,"spec":null,`+
			`"status":null}`))
	f.Add("DELETE", []byte(`[`), []byte(nil))
	names := versionsByRule()
	f.Fuzz(func(t *testing.T, operation string, old, object []byte) {
		r := Request{Operation: Operation(operation), OldObject: slices.Clone(old), Object: slices.Clone(object)}
		result, err := Validate(t.Context(), r)
		if !bytes.Equal(r.OldObject, old) || !bytes.Equal(r.Object, object) {
			t.Fatal("Validate changed its arguments")
		}
		if err != nil && (len(result.Errors) > 0 || err.Error() == "") {
			t.Fatalf("both an error and a result: %v, %v", err, result)
		}
		for _, e := range result.Errors {
			if names[e.Rule] == nil || e.Field == "" || e.Type == "" {
				t.Fatalf("rule %q rejects %q with type %q", e.Rule, e.Field, e.Type)
			}
		}
		again, _ := Validate(t.Context(), r)
		if diff := cmp.Diff(formatErrors(result.Errors), formatErrors(again.Errors)); diff != "" {
			t.Fatalf("the same request, another result:\n%s", diff)
		}
	})
}
