// Package reviews has the reviews that tests send to a webhook server, and decodes the responses.
package reviews

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The claims of the reviews.
const (
	ClaimV1alpha2 = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"namespace":"default","uid":"u1",` +
		`"managedFields":[{"manager":"kubectl"}]},"spec":{"resourceClassName":"gpu.example.com"}}`
	ClaimV1alpha3 = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"b",` +
		`"namespace":"default","uid":"u2"},` +
		`"spec":{"devices":{"requests":[{"name":"claim","deviceClassName":"gpu.example.com",` +
		`"allocationMode":"ExactCount","count":1}]}}}`
)

// Conversion returns a ConversionReview as an API server sends it.
func Conversion(desiredAPIVersion string, objects ...string) string {
	return fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid",`+
		`"desiredAPIVersion":%q,"objects":[%s]}}`, desiredAPIVersion, strings.Join(objects, ","))
}

// Admission returns an AdmissionReview for a write of the claim default/a in v1alpha2, as an API server sends it.
func Admission(operation, subresource, object, oldObject string) string {
	return AdmissionIn("v1alpha2", operation, subresource, object, oldObject)
}

// AdmissionIn is [Admission] for any version.
func AdmissionIn(version, operation, subresource, object, oldObject string) string {
	return fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"the-uid",`+
		`"kind":{"group":"resource.k8s.io","version":%[1]q,"kind":"ResourceClaim"},`+
		`"resource":{"group":"resource.k8s.io","version":%[1]q,"resource":"resourceclaims"},"subResource":%q,`+
		`"name":"a","namespace":"default","operation":%q,"userInfo":{"username":"admin"},"object":%s,"oldObject":%s,`+
		`"dryRun":false}}`,
		version, subresource, operation, object, oldObject)
}

// NewRequest returns a request that posts a review to a path.
func NewRequest(path, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// Response is an HTTP response whose body has been read.
type Response struct {
	Code   int
	Proto  string
	Header http.Header
	Close  bool
	Body   string
}

// Serve calls a handler with a request and returns its response.
func Serve(handler http.Handler, r *http.Request) Response {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return Response{Code: w.Code, Header: w.Header(), Body: w.Body.String()}
}

// DecodeConversion decodes the response to a ConversionReview.
func DecodeConversion(t testing.TB, response Response) *apiextensionsv1.ConversionReview {
	t.Helper()
	return decodeReview[apiextensionsv1.ConversionReview](t, response)
}

// CheckConverted checks that the server converted all objects of a ConversionReview.
func CheckConverted(t testing.TB, response Response) {
	t.Helper()
	result := DecodeConversion(t, response).Response.Result
	if result.Status != metav1.StatusSuccess {
		t.Errorf("got status %q, want %q: %s", result.Status, metav1.StatusSuccess, result.Message)
	}
}

// DecodeAdmission decodes the response to an AdmissionReview.
func DecodeAdmission(t testing.TB, response Response) *admissionv1.AdmissionReview {
	t.Helper()
	return decodeReview[admissionv1.AdmissionReview](t, response)
}

// decodeReview fails the test unless the response has status 200 and its body is a review with a response.
func decodeReview[T any](t testing.TB, response Response) *T {
	t.Helper()
	if response.Code != http.StatusOK || !strings.Contains(response.Body, `"response":{`) {
		t.Fatalf("got status %d, want 200 and a review with a response: %s", response.Code, response.Body)
	}
	return new(Decode[T](t, response.Body))
}

// Decode decodes JSON.
func Decode[T any](t testing.TB, body string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return value
}

// NewLogger returns a logger that writes messages of all levels.
func NewLogger(w io.Writer) logr.Logger {
	return funcr.New(func(_, args string) { _, _ = io.WriteString(w, args+"\n") }, funcr.Options{Verbosity: 9})
}
