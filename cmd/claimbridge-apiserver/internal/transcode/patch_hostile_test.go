//go:build e2e

package transcode

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// Patches that no client makes are refused: some would have the libraries panic, and one writes much by saying little.
func TestHostilePatchesAreRefused(t *testing.T) {
	const live = `{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a","namespace":"NS","resourceVersion":"7"},"spec":{"devices":{}},"status":{}}`
	megabyte := `"` + strings.Repeat("x", 1<<20) + `"`
	tests := map[string]struct{ contentType, patch string }{
		"all is replaced by nothing":     {jsonPatch, `[{"op":"replace","path":""}]`},
		"an order of what has no name":   {strategicPatch, `{"spec":{"devices":{"requests":[{"name":"r"}],"$setElementOrder/requests":[{"a":1}]}}}`},
		"copies are greater than a body": {jsonPatch, `[{"op":"add","path":"/spec/x","value":` + megabyte + `}` + strings.Repeat(`,{"op":"copy","from":"/spec/x","path":"/spec/y"}`, 4) + "]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPatch, claims+"/a", strings.NewReader(test.patch))
			r.Header.Set("Content-Type", test.contentType)
			w := httptest.NewRecorder()
			around(New(present{t, live}, validation.Judge, http.NotFoundHandler(), Options{})).ServeHTTP(w, r)
			if w.Code < http.StatusBadRequest || w.Code >= http.StatusInternalServerError {
				t.Errorf("code %d, %.500s", w.Code, w.Body)
			}
		})
	}
}
