// Package reviews has the reviews that tests send to a webhook server, and decodes the responses as an API server does.
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

// Claims of two versions.
const (
	ClaimV1alpha2 = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"namespace":"default","uid":"u1",` +
		`"managedFields":[{"manager":"kubectl"}]},"spec":{"resourceClassName":"gpu.example.com"}}`
	ClaimV1alpha3 = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"b",` +
		`"namespace":"default","uid":"u2"},` +
		`"spec":{"devices":{"requests":[{"name":"claim","deviceClassName":"gpu.example.com",` +
		`"allocationMode":"ExactCount","count":1}]}}}`
)

// Conversion of objects, as an API server asks for it.
func Conversion(desired string, objects ...string) string {
	return fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid",`+
		`"desiredAPIVersion":%q,"objects":[%s]}}`, desired, strings.Join(objects, ","))
}

// Admission of a write of claim default/a in v1alpha2, as an API server asks for it.
func Admission(operation, subresource, object, oldObject string) string {
	return AdmissionIn("v1alpha2", operation, subresource, object, oldObject)
}

// AdmissionIn is [Admission] in a version.
func AdmissionIn(version, operation, subresource, object, oldObject string) string {
	return fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"the-uid",`+
		`"kind":{"group":"resource.k8s.io","version":%[1]q,"kind":"ResourceClaim"},`+
		`"resource":{"group":"resource.k8s.io","version":%[1]q,"resource":"resourceclaims"},"subResource":%q,`+
		`"name":"a","namespace":"default","operation":%q,"userInfo":{"username":"admin"},"object":%s,"oldObject":%s,`+
		`"dryRun":false}}`,
		version, subresource, operation, object, oldObject)
}

// Post a review to a path.
func Post(path, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// Reply is an answer that was read to its end.
type Reply struct {
	Code   int
	Proto  string
	Header http.Header
	Close  bool
	Body   string
}

// Serve one request without a network.
func Serve(handler http.Handler, r *http.Request) Reply {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return Reply{Code: w.Code, Header: w.Header(), Body: w.Body.String()}
}

// Converted reads the answer to a conversion as an API server does.
func Converted(t testing.TB, response Reply) *apiextensionsv1.ConversionReview {
	t.Helper()
	return answered[apiextensionsv1.ConversionReview](t, response)
}

// Succeeded checks that all objects of a review were converted.
func Succeeded(t testing.TB, response Reply) {
	t.Helper()
	if result := Converted(t, response).Response.Result; result.Status != metav1.StatusSuccess {
		t.Errorf("status %q: %s", result.Status, result.Message)
	}
}

// Admitted reads the answer to a question about a write as an API server does.
func Admitted(t testing.TB, response Reply) *admissionv1.AdmissionReview {
	t.Helper()
	return answered[admissionv1.AdmissionReview](t, response)
}

// answered with a review that has a response, and no other status.
func answered[T any](t testing.TB, response Reply) *T {
	t.Helper()
	if response.Code != http.StatusOK || !strings.Contains(response.Body, `"response":{`) {
		t.Fatalf("%d: %s", response.Code, response.Body)
	}
	return new(Decode[T](t, response.Body))
}

// Decode JSON.
func Decode[T any](t testing.TB, body string) T {
	t.Helper()
	var into T
	if err := json.Unmarshal([]byte(body), &into); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return into
}

// LogTo a buffer, everything.
func LogTo(w io.Writer) logr.Logger {
	return funcr.New(func(_, args string) { _, _ = io.WriteString(w, args+"\n") }, funcr.Options{Verbosity: 9})
}
