//go:build e2e

package bridge

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A comparison that finds nothing proves nothing: each of these is done to the answers of one of
// two servers that are the same, and must be found.
func TestTheComparisonFindsWhatDiffers(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) func(request, *answer) {
		return func(_ request, a *answer) { a.body = bytes.Replace(a.body, []byte(old), []byte(new), 1) }
	}
	changes := map[string]func(request, *answer){
		"another status code": func(r request, a *answer) {
			if r.method == http.MethodPost {
				a.status = http.StatusOK
			}
		},
		"no warning":                func(_ request, a *answer) { a.header.Del("Warning") },
		"a warning more":            func(_ request, a *answer) { a.header.Add("Warning", `299 - "more"`) },
		"another media type":        func(_ request, a *answer) { a.header.Set("Content-Type", "text/plain") },
		"a label that is not there": replace(`"app":"x"`, `"app":"z"`),
		"a field more":              replace(`"spec":{`, `"spec":{"more":1,`),
		"a field less":              replace(`,"count":1`, ``),
		"a number that is a text":   replace(`"count":1`, `"count":"1"`),
		"the other version": replace(`"apiVersion":"resource.k8s.io/v1beta1"`,
			`"apiVersion":"resource.k8s.io/v1"`),
		"the owner of a field": replace(`"manager":"suite"`, `"manager":"claimbridge-apiserver"`),
		"a version of managed fields": replace(`"apiVersion":"resource.k8s.io/v1beta1","time"`,
			`"apiVersion":"resource.k8s.io/v1","time"`),
		"a uid that changes": func(r request, a *answer) {
			if r.method == http.MethodGet {
				a.body = bytes.Replace(a.body, []byte(`"uid":"`), []byte(`"uid":"6`), 1)
			}
		},
		"a resourceVersion that is not new": resourceVersion(false),
		"a resourceVersion that is new":     resourceVersion(true),
		"an event that does not come":       firstEvent(func([]byte) []byte { return nil }),
		"an event of another type": firstEvent(func(event []byte) []byte {
			return bytes.Replace(event, []byte("ADDED"), []byte("MODIFIED"), 1)
		}),
		"a list that ends":            replace(`"continue":"`, `"more":"`),
		"a text instead of an object": func(_ request, a *answer) { a.body = []byte("service unavailable") },
	}
	steps := stepsOf(t, `
create claims `+shape("v1beta1").claim("a", `,"labels":{"app":"x"}`)+`
create claims `+shape("v1beta1").claim("b")+`
watch w claims?watch=true&resourceVersion=0
get claims/a
# Nothing new.
merge claims/a {"metadata":{"labels":{"app":"x"}}}
merge claims/a {"metadata":{"labels":{"app":"x","b":"c"}}}
get claims?limit=1
events w 2
`)
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left, right := key.session(t, "v1beta1"), key.session(t, "v1beta1")
			right.change = change
			problems := must.Get(compare(t.Context(), left, right, steps, nil))(t)
			if len(problems) == 0 {
				t.Error("it was not found")
			}
		})
	}
}

// resourceVersion of what nothing new was written to, and of what something was: the last object's
// stays for the one, and is another for the other.
func resourceVersion(changes bool) func(request, *answer) {
	var last []byte
	return func(r request, a *answer) {
		if r.method != http.MethodPatch {
			if r.method == http.MethodGet && r.watch == "" && bytes.Contains(a.body, []byte(`"name":"a"`)) {
				last = a.body
			}
			return
		}
		if changes {
			a.body = bytes.Replace(a.body, []byte(`"resourceVersion":"`), []byte(`"resourceVersion":"9`), 1)
		} else {
			a.body = last
		}
	}
}

// firstEvent changes the first event of a watch.
func firstEvent(change func([]byte) []byte) func(request, *answer) {
	first := true
	return func(r request, a *answer) {
		if r.watch != "" && first {
			first, a.body = false, change(a.body)
		}
	}
}
