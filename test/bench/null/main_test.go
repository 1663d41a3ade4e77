package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCopierRewritesTheVersion(t *testing.T) {
	tests := map[string]struct {
		body, want string
		code       int
	}{
		"a review of an object that names versions elsewhere": {
			body: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"g/v2","objects":[` +
				`{"apiVersion":"g/v1","kind":"K","metadata":{"managedFields":[{"apiVersion":"g/v1"}],"uid":"other"},"list":[1]}]}}` + "\n",
			want: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u","result":{"status":"Success"},"convertedObjects":[` +
				`{"apiVersion":"g/v2","kind":"K","metadata":{"managedFields":[{"apiVersion":"g/v1"}],"uid":"other"},"list":[1]}]}}`,
			code: 200,
		},
		"something else": {body: `{}`, want: "not a review of one object\n", code: 400},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			copier(answer, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(test.body)))
			if diff := cmp.Diff(test.want, answer.Body.String()); diff != "" || answer.Code != test.code {
				t.Errorf("%d, want %d\n%s", answer.Code, test.code, diff)
			}
		})
	}
}
