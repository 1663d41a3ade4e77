//go:build e2e

package bridge

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestComparisonFindsDifferences compares the reference with itself while one side's responses are modified. Each
// modification must be found.
func TestComparisonFindsDifferences(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) func(request, *response) {
		return func(_ request, a *response) { a.body = bytes.Replace(a.body, []byte(old), []byte(new), 1) }
	}
	modifications := map[string]func(request, *response){
		"another status code": func(r request, a *response) {
			if r.method == http.MethodPost {
				a.status = http.StatusOK
			}
		},
		"no warning":           func(_ request, a *response) { a.header.Del("Warning") },
		"another warning":      func(_ request, a *response) { a.header.Add("Warning", `299 - "more"`) },
		"another media type":   func(_ request, a *response) { a.header.Set("Content-Type", "text/plain") },
		"another label":        replace(`"app":"x"`, `"app":"z"`),
		"an additional field":  replace(`"spec":{`, `"spec":{"more":1,`),
		"a missing field":      replace(`,"count":1`, ``),
		"a number as a string": replace(`"count":1`, `"count":"1"`),
		"another version": replace(`"apiVersion":"resource.k8s.io/v1beta1"`,
			`"apiVersion":"resource.k8s.io/v1"`),
		"another manager of a field": replace(`"manager":"suite"`, `"manager":"claimbridge-apiserver"`),
		"another version of managed fields": replace(`"apiVersion":"resource.k8s.io/v1beta1","time"`,
			`"apiVersion":"resource.k8s.io/v1","time"`),
		"a uid that changes": func(r request, a *response) {
			if r.method == http.MethodGet {
				a.body = bytes.Replace(a.body, []byte(`"uid":"`), []byte(`"uid":"6`), 1)
			}
		},
		"an old resourceVersion after a patch":               resourceVersion(false),
		"a new resourceVersion after a patch without effect": resourceVersion(true),
		"a missing event": firstEvent(func([]byte) []byte { return nil }),
		"an event of another type": firstEvent(func(event []byte) []byte {
			return bytes.Replace(event, []byte("ADDED"), []byte("MODIFIED"), 1)
		}),
		"a list without a continue token": replace(`"continue":"`, `"more":"`),
		"a text instead of an object":     func(_ request, a *response) { a.body = []byte("service unavailable") },
	}
	steps := stepsOf(t, `
create claims `+manifests("v1beta1").claim("a", `,"labels":{"app":"x"}`)+`
create claims `+manifests("v1beta1").claim("b")+`
watch w claims?watch=true&resourceVersion=0
get claims/a
# Without effect.
merge claims/a {"metadata":{"labels":{"app":"x"}}}
merge claims/a {"metadata":{"labels":{"app":"x","b":"c"}}}
get claims?limit=1
events w 2
`)
	for name, modify := range modifications {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left, right := reference.session(t, "v1beta1"), reference.session(t, "v1beta1")
			right.modify = modify
			differences := must.Get(compare(t.Context(), left, right, steps, nil))(t)
			if len(differences) == 0 {
				t.Error("the modification was not found")
			}
		})
	}
}

// resourceVersion returns a modification of patch responses: with isNew, a new resourceVersion after a patch without
// effect; otherwise, the old object after a patch with an effect.
func resourceVersion(isNew bool) func(request, *response) {
	var old []byte
	return func(r request, a *response) {
		if r.method != http.MethodPatch {
			if r.method == http.MethodGet && r.watch == "" && bytes.Contains(a.body, []byte(`"name":"a"`)) {
				old = a.body
			}
			return
		}
		if isNew {
			a.body = bytes.Replace(a.body, []byte(`"resourceVersion":"`), []byte(`"resourceVersion":"9`), 1)
		} else {
			a.body = old
		}
	}
}

// firstEvent returns a modification of the first event of a watch.
func firstEvent(change func([]byte) []byte) func(request, *response) {
	first := true
	return func(r request, a *response) {
		if r.watch != "" && first {
			first = false
			a.body = change(a.body)
		}
	}
}
