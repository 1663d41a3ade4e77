package validation

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzJudge looks for input that makes Judge panic, change its arguments, answer twice in different ways, or refuse
// without saying by which rule and where.
func FuzzJudge(f *testing.F) {
	for _, e := range examples(f, "*/*.yaml") {
		f.Add(string(e.request.Operation), e.request.OldObject, e.request.Object)
	}
	f.Add("UPDATE", []byte(`null`), []byte(`{}`))
	f.Add("CREATE", []byte(nil),
		[]byte(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":null,"spec":null,`+
			`"status":null}`))
	f.Add("DELETE", []byte(`[`), []byte(nil))
	names := known()
	f.Fuzz(func(t *testing.T, operation string, old, object []byte) {
		r := Request{Operation: Operation(operation), OldObject: slices.Clone(old), Object: slices.Clone(object)}
		verdict, err := Judge(t.Context(), r)
		if !bytes.Equal(r.OldObject, old) || !bytes.Equal(r.Object, object) {
			t.Fatal("Judge changed its arguments")
		}
		if err != nil && (len(verdict.Errors) > 0 || err.Error() == "") {
			t.Fatalf("both an error and a verdict: %v, %v", err, verdict)
		}
		for _, e := range verdict.Errors {
			if names[e.Rule] == nil || e.Field == "" || e.Type == "" {
				t.Fatalf("rule %q refuses %q with type %q", e.Rule, e.Field, e.Type)
			}
		}
		again, _ := Judge(t.Context(), r)
		if diff := cmp.Diff(found(verdict.Errors), found(again.Errors)); diff != "" {
			t.Fatalf("the same request, another verdict:\n%s", diff)
		}
	})
}
