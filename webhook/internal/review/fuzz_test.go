package review

import (
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apijson "sigs.k8s.io/json"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// FuzzConvert posts any text. Nothing panics, the status code is a known one, and a response is a review for the same
// uid with as many objects as were sent, or a failure with the reason.
func FuzzConvert(f *testing.F) {
	seed(f, "-conversion.json",
		reviews.Conversion("resource.k8s.io/v1alpha1", reviews.ClaimV1alpha3, reviews.ClaimV1alpha2),
		reviews.Conversion("resource.k8s.io/v1alpha3", `{}`, `null`, `[]`,
			`{"metadata":null}`), reviews.Conversion("v1"))
	s := newServer(f, Options{Groups: []string{"*"}})
	f.Fuzz(func(t *testing.T, body string) {
		answer, ok := fuzzed(t, s, "/convert", body)
		if !ok {
			return
		}
		got := reviews.Decode[apiextensionsv1.ConversionReview](t, answer)
		var sent apiextensionsv1.ConversionReview
		if !clean(body, &sent) {
			return
		}
		if got.Kind != "ConversionReview" || got.APIVersion != sent.APIVersion || got.Response == nil ||
			got.Response.UID != sent.Request.UID {
			t.Fatalf("the answer is for another review: %s", answer)
		}
		switch result := got.Response.Result; {
		case result.Status == metav1.StatusSuccess && len(got.Response.ConvertedObjects) != len(sent.Request.Objects):
			t.Fatalf("%d objects came back, %d were sent", len(got.Response.ConvertedObjects),
				len(sent.Request.Objects))
		case result.Status == metav1.StatusFailure && result.Message == "":
			t.Fatal("a failure without a message")
		case result.Status != metav1.StatusSuccess && result.Status != metav1.StatusFailure:
			t.Fatalf("status %q", result.Status)
		}
	})
}

// FuzzValidate checks the same, and that a denial has a code and a message.
func FuzzValidate(f *testing.F) {
	seed(f, "-admission.json", reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null"),
		reviews.Admission("UPDATE", "status", reviews.ClaimV1alpha2, `{}`),
		reviews.Admission("UPDATE", "", "null", `[]`), reviews.Admission("DELETE", "", "null", "null"))
	s := newServer(f, Options{Groups: []string{"*"}})
	f.Fuzz(func(t *testing.T, body string) {
		answer, ok := fuzzed(t, s, "/validate", body)
		if !ok {
			return
		}
		got := reviews.Decode[admissionv1.AdmissionReview](t, answer)
		var sent admissionv1.AdmissionReview
		if !clean(body, &sent) {
			return
		}
		if got.Kind != "AdmissionReview" || got.APIVersion != sent.APIVersion || got.Response == nil ||
			got.Response.UID != sent.Request.UID {
			t.Fatalf("the answer is for another review: %s", answer)
		}
		if got.Response.Allowed {
			return
		}
		result := got.Response.Result
		if result == nil || result.Status != metav1.StatusFailure || result.Message == "" ||
			result.Code != http.StatusBadRequest && result.Code != http.StatusUnprocessableEntity {
			t.Fatalf("a denial that does not say why: %s", answer)
		}
	})
}

func seed(f *testing.F, suffix string, bodies ...string) {
	for _, body := range recorded(f, suffix) {
		f.Add(body)
		f.Add(body[:len(body)/2])
		f.Add(strings.ReplaceAll(body, "v1alpha1", "v1alpha3"))
	}
	for _, body := range append(bodies, "", "null", "{}", "[[[[", `{"request":{"objects":[{"a":1e999}]}}`) {
		f.Add(body)
	}
}

// fuzzed posts a body, and reports whether the response is a review.
func fuzzed(t *testing.T, s *server, path, body string) (answer string, ok bool) {
	response := serve(s, reviews.NewRequest(path, body))
	answer = response.Body
	switch response.Code {
	case http.StatusOK:
		return answer, true
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		if strings.TrimSpace(answer) == "" {
			t.Fatal("an error without a text")
		}
		return "", false
	}
	t.Fatalf("%d: %s", response.Code, answer)
	return "", false
}

// clean reports whether the API server's decoder reads a body without errors. Then its result must equal claimbridge's.
// The results may differ for duplicate members, which that decoder merges.
func clean(body string, into any) bool {
	remarks, err := apijson.UnmarshalStrict([]byte(body), into, apijson.DisallowDuplicateFields)
	return err == nil && len(remarks) == 0
}
