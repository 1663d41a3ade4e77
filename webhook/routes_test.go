package webhook

import (
	"net/http"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
)

func TestRoutesReject(t *testing.T) {
	good := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	tests := map[string]struct {
		path string
		code int
		text string
	}{
		"an unknown path":        {"/convert/", http.StatusNotFound, "not found"},
		"a POST of the version":  {"/version", http.StatusMethodNotAllowed, "GET"},
		"another kind of review": {"/validate", http.StatusBadRequest, "must be AdmissionReview"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			response := serve(newServer(t, Options{}), reviews.NewRequest(test.path, good))
			if response.Code != test.code || !strings.Contains(response.Body, test.text) {
				t.Errorf("%d: %s, want %d with %q", response.Code, response.Body, test.code, test.text)
			}
		})
	}
}
