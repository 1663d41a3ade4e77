package review

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
)

func TestHandlersReject(t *testing.T) {
	good := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	tests := map[string]struct {
		method, path, body string
		header             map[string]string
		code               int
		text               string
	}{
		"a GET": {
			method: http.MethodGet, code: http.StatusMethodNotAllowed, text: "POST a review",
		},
		"another content type": {
			body:   good,
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			code:   http.StatusUnsupportedMediaType,
			text:   "must be application/json",
		},
		"an invalid content type": {
			body:   good,
			header: map[string]string{"Content-Type": ";;"},
			code:   http.StatusUnsupportedMediaType,
			text:   "must be application/json",
		},
		"a compressed body": {
			body:   good,
			header: map[string]string{"Content-Encoding": "gzip"},
			code:   http.StatusUnsupportedMediaType,
			text:   `"gzip"`,
		},
		"no body":     {code: http.StatusBadRequest, text: "no body"},
		"white space": {body: " \n", code: http.StatusBadRequest, text: "not a review"},
		"a truncated body": {
			body: good[:len(good)/2], code: http.StatusBadRequest, text: "not a review",
		},
		"two values": {
			body: good + good, code: http.StatusBadRequest, text: "after top-level value",
		},
		"no JSON": {
			body: "kind: ConversionReview", code: http.StatusBadRequest, text: "not a review",
		},
		"an array": {body: "[]", code: http.StatusBadRequest, text: "cannot be an array"},
		"null": {
			body: "null", code: http.StatusBadRequest, text: `kind "" of apiVersion ""`,
		},
		"an object that is not a review": {
			body: reviews.ClaimV1alpha2, code: http.StatusBadRequest, text: `kind "ResourceClaim"`,
		},
		"a review of the other kind": {
			body: strings.Replace(good, "ConversionReview", "AdmissionReview", 1),
			code: http.StatusBadRequest,
			text: "must be ConversionReview",
		},
		"an unknown review version": {
			body: strings.Replace(good, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v2", 1),
			code: http.StatusBadRequest,
			text: "apiextensions.k8s.io/v2",
		},
		"a review without a request": {
			body: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`,
			code: http.StatusBadRequest,
			text: "no request",
		},
		"a null request": {
			body: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":null}`,
			code: http.StatusBadRequest,
			text: "no request",
		},
		"a request that is a list": {
			body: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":[]}`,
			code: http.StatusBadRequest,
			text: "/request cannot be an array",
		},
		"objects that are no list": {
			body: strings.Replace(good, `"objects":[`, `"objects":{"a":[`, 1) + "}",
			code: http.StatusBadRequest,
			text: "/request/objects cannot be an object",
		},
		"a uid that is a number": {
			body: strings.Replace(good, `"the-uid"`, `1`, 1),
			code: http.StatusBadRequest,
			text: "/request/uid cannot be a number",
		},
		"an object nested too deep": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3", deep),
			code: http.StatusBadRequest,
			text: "depth",
		},
		"a uid that is longer than any": {
			body: strings.Replace(good, `the-uid`, strings.Repeat("<", 5000), 1),
			code: http.StatusBadRequest,
			text: "longer than 4096 bytes",
		},
		"a body that is too large": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3", `"`+strings.Repeat("x", 32<<20)+`"`),
			code: http.StatusRequestEntityTooLarge,
			text: "exceeds the limit of 33554432 bytes",
		},
		"too many objects": {
			body: reviews.Conversion("resource.k8s.io/v1alpha3", "0"+strings.Repeat(",0", maxObjects)),
			code: http.StatusRequestEntityTooLarge,
			text: "more than 100000 objects",
		},
		"a timeout that is no duration": {
			path: "/convert?timeout=soon", body: good, code: http.StatusBadRequest, text: `timeout "soon"`,
		},
		"a negative timeout": {
			path: "/convert?timeout=-1s", body: good, code: http.StatusBadRequest, text: "timeout",
		},
		"a timeout that is already over": {
			path: "/convert?timeout=1ns", body: good, code: http.StatusServiceUnavailable, text: "deadline exceeded",
		},
		"an admission review to convert": {
			path: "/validate", body: good, code: http.StatusBadRequest, text: "must be AdmissionReview",
		},
		"an admission's uid that is long": {
			path: "/validate",
			body: `{"request":{"uid":"` + strings.Repeat("a",
				5000) + `"},"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`,
			code: http.StatusBadRequest,
			text: "longer than 4096 bytes",
		},
		"a review of another group": {
			body: strings.Replace(good, "apiextensions.k8s.io/v1", "admission.k8s.io/v1", 1),
			code: http.StatusBadRequest,
			text: "must be ConversionReview",
		},
		"an admission review of nothing": {
			path: "/validate",
			body: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":null}`,
			code: http.StatusBadRequest,
			text: "no request",
		},
		"an admission kind that is text": {
			path: "/validate",
			body: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"kind":"Pod"}}`,
			code: http.StatusBadRequest,
			text: "/request/kind cannot be a string",
		},
		"an admission review from future": {
			path: "/validate",
			body: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2","request":{}}`,
			code: http.StatusBadRequest,
			text: "v1beta1",
		},
	}
	for name, test := range tests {
		request := httptest.NewRequest(cmp.Or(test.method, http.MethodPost), cmp.Or(test.path, "/convert"),
			strings.NewReader(test.body))
		for key, value := range test.header {
			request.Header.Set(key, value)
		}
		response := serve(newServer(t, Options{}), request)
		got := response.Body
		if response.Code != test.code || !strings.Contains(got, test.text) {
			t.Errorf("%s: %d: %s, want %d with %q", name, response.Code, got, test.code, test.text)
		}
		if retry := response.Header.Get("Retry-After"); (retry != "") != (test.code == http.StatusServiceUnavailable) {
			t.Errorf("%s: Retry-After is %q", name, retry)
		} else if _, err := strconv.Atoi(retry); retry != "" && err != nil {
			t.Errorf("%s: Retry-After %q is no whole number: API servers would not retry", name, retry)
		}
	}
}

func TestHandlersAccept(t *testing.T) {
	tests := map[string]map[string]string{
		"no content type":             {"Content-Type": ""},
		"JSON with a character set":   {"Content-Type": "application/json; charset=utf-8"},
		"JSON in capital letters":     {"Content-Type": "Application/JSON"},
		"a body that is not encoded":  {"Content-Encoding": "identity"},
		"a timeout as API servers do": {"X-Path": "/convert?timeout=30s"},
		"a timeout of nothing":        {"X-Path": "/convert?timeout=0s"},
		"a very patient caller":       {"X-Path": "/convert?timeout=1000h"},
	}
	for name, header := range tests {
		t.Run(name, func(t *testing.T) {
			request := reviews.NewRequest(cmp.Or(header["X-Path"], "/convert"),
				reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))
			for key, value := range header {
				request.Header.Set(key, value)
			}
			checkFailure(t, reviews.DecodeConversion(t, serve(newServer(t, Options{}), request)).Response, nil)
		})
	}
}

func TestBodiesAreLimited(t *testing.T) {
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	const limit = 100_000
	tests := map[string]struct {
		size, announced int64
		code            int
	}{
		"at the limit":                          {limit, limit, http.StatusOK},
		"over the limit":                        {limit + 1, limit + 1, http.StatusRequestEntityTooLarge},
		"at the limit, of unknown length":       {limit, -1, http.StatusOK},
		"over the limit, of unknown length":     {limit + 1, -1, http.StatusRequestEntityTooLarge},
		"far over the limit, of unknown length": {50 * limit, -1, http.StatusRequestEntityTooLarge},
		"shorter than announced":                {limit - 1, limit, http.StatusBadRequest},
	}
	for name, test := range tests {
		s := newServer(t, Options{MaxRequestBytes: limit})
		request := reviews.NewRequest("/convert", body+strings.Repeat(" ", int(test.size)-len(body)))
		request.ContentLength = test.announced
		response := serve(s, request)
		if got := response.Body; response.Code != test.code {
			t.Errorf("%s: %d: %s, want %d", name, response.Code, got, test.code)
		}
		counts(t, s, map[string]float64{"http_request_bytes_in_flight{}": 0})
	}
}
