//go:build e2e

package bridge

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestComparisonFindsDifferences compares the reference with itself while the responses of one session are modified.
// Each modification must be found.
func TestComparisonFindsDifferences(t *testing.T) {
	t.Parallel()
	replace := func(old, new string) func(request, *response) {
		return func(_ request, resp *response) { resp.body = bytes.Replace(resp.body, []byte(old), []byte(new), 1) }
	}
	modifications := map[string]func(request, *response){
		"another status code": func(r request, resp *response) {
			if r.method == http.MethodPost {
				resp.status = http.StatusOK
			}
		},
		"a missing warning":    func(_ request, resp *response) { resp.header.Del("Warning") },
		"another warning":      func(_ request, resp *response) { resp.header.Add("Warning", `299 - "more"`) },
		"another media type":   func(_ request, resp *response) { resp.header.Set("Content-Type", "text/plain") },
		"another label":        replace(`"app":"x"`, `"app":"z"`),
		"an additional field":  replace(`"spec":{`, `"spec":{"more":1,`),
		"a missing field":      replace(`,"count":1`, ``),
		"a number as a string": replace(`"count":1`, `"count":"1"`),
		"another version": replace(`"apiVersion":"resource.k8s.io/v1beta1"`,
			`"apiVersion":"resource.k8s.io/v1"`),
		"another manager of a field": replace(`"manager":"suite"`, `"manager":"claimbridge-apiserver"`),
		"another version of managed fields": replace(`"apiVersion":"resource.k8s.io/v1beta1","time"`,
			`"apiVersion":"resource.k8s.io/v1","time"`),
		"a uid that changes": func(r request, resp *response) {
			if r.method == http.MethodGet {
				resp.body = bytes.Replace(resp.body, []byte(`"uid":"`), []byte(`"uid":"6`), 1)
			}
		},
		"an old resourceVersion after a patch":               returnOldObject(),
		"a new resourceVersion after a patch without effect": changeResourceVersion,
		"a missing event": modifyFirstEvent(func([]byte) []byte { return nil }),
		"an event of another type": modifyFirstEvent(func(event []byte) []byte {
			return bytes.Replace(event, []byte("ADDED"), []byte("MODIFIED"), 1)
		}),
		"a list without a continue token": replace(`"continue":"`, `"more":"`),
		"a text instead of an object":     func(_ request, resp *response) { resp.body = []byte("service unavailable") },
	}
	steps := parseSteps(t, `
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
			unmodifiedSession := reference.session(t, "v1beta1")
			modifiedSession := reference.session(t, "v1beta1")
			modifiedSession.modify = modify
			differences := must.Get(compare(t.Context(), unmodifiedSession, modifiedSession, steps, nil))(t)
			if len(differences) == 0 {
				t.Error("got no differences, want the modification")
			}
		})
	}
}

// returnOldObject returns a modification of the responses to patches: they have the object before the patch.
func returnOldObject() func(request, *response) {
	var oldObject []byte
	return func(r request, resp *response) {
		if r.method == http.MethodGet && r.watch == "" && bytes.Contains(resp.body, []byte(`"name":"a"`)) {
			oldObject = resp.body
		}
		if r.method == http.MethodPatch {
			resp.body = oldObject
		}
	}
}

// changeResourceVersion modifies the responses to patches: they have another resourceVersion than the stored object.
func changeResourceVersion(r request, resp *response) {
	if r.method == http.MethodPatch {
		resp.body = bytes.Replace(resp.body, []byte(`"resourceVersion":"`), []byte(`"resourceVersion":"9`), 1)
	}
}

// modifyFirstEvent returns a modification of the first event of a watch.
func modifyFirstEvent(change func([]byte) []byte) func(request, *response) {
	first := true
	return func(r request, resp *response) {
		if r.watch != "" && first {
			first = false
			resp.body = change(resp.body)
		}
	}
}
