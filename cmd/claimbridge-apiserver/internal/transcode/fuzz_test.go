//go:build e2e

package transcode

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/validation"
)

// present is a store with one claim, which takes whatever it is sent that is JSON.
type present struct {
	t    *testing.T
	live string
}

func (p present) AsCaller(_ context.Context, r store.Request) (*http.Response, error) {
	return p.Live(context.Background(), r, false)
}

func (p present) Live(context.Context, store.Request, bool) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {asJSON}}, Body: io.NopCloser(strings.NewReader(p.live))}, nil
}

// Whatever a caller sends, they get an answer: nothing of it is a panic or a fault of the server.
func FuzzBodies(f *testing.F) {
	paths := []string{claims, claims + "/a", claims + "/a/status", "/apis/resource.k8s.io/v1alpha2/namespaces/NS/resourceclaims/a", inVersion + "/resourceslices/a"}
	types := []string{asJSON, asYAML, mergePatch, jsonPatch, strategicPatch, applyPatch, "application/vnd.kubernetes.protobuf", ""}
	methods := []string{"POST", "PUT", "PATCH", "DELETE"}
	for i, body := range []string{
		claimA, "", "null", "[]", "{}", `{"metadata":null}`, `{"metadata":{"name":"a"},"spec":null}`, `{"spec":{"devices":{"requests":[null]}}}`,
		`[{"op":"copy","from":"/spec","path":"/spec/a"}]`, `[{"op":"remove","path":""}]`, `[null]`, `[{"op":"replace","path":"","value":null}]`,
		`{"spec":{"$patch":"delete"}}`, `{"spec":{"devices":{"$setElementOrder/requests":[1]}}}`, `{"status":{"reservedFor":[{"$patch":"delete"}]}}`,
		`[{"op":"replace","path":""}]`, `{"spec":{"devices":{"$setElementOrder/requests":[]}}}`, "a: &a [*a]\n", "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nspec: .nan\n", "k8s\x00\n\x00", "\xff", `{"a":"\ud800"}`,
	} {
		f.Add(uint8(i), uint8(i), uint8(i), body, "")
	}
	const live = `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","namespace":"NS","resourceVersion":"7"},` +
		`"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}},"status":{}}`
	f.Fuzz(func(t *testing.T, path, contentType, method uint8, body, query string) {
		at := paths[int(path)%len(paths)]
		answer := live
		if strings.Contains(at, "resourceslices") {
			answer = `{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a"},"spec":{"driver":"d","pool":{"name":"p"},"devices":[{"name":"d"}]}}`
		}
		r := httptest.NewRequest(methods[int(method)%len(methods)], at, strings.NewReader(body))
		r.Header.Set("Content-Type", types[int(contentType)%len(types)])
		r.URL.RawQuery = "fieldManager=f&" + query
		w := httptest.NewRecorder()
		around(New(present{t, answer}, validation.Judge, http.NotFoundHandler(), Options{})).ServeHTTP(w, r)
		strategic := types[int(contentType)%len(types)] == strategicPatch // whose library has errors that API servers answer with 500
		if w.Code >= http.StatusInternalServerError && !strategic {
			t.Errorf("%s %s %q: %d %s", r.Method, at, body, w.Code, w.Body)
		}
	})
}
