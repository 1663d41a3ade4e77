package review

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// misshapen is a recorded v1alpha2 claim with the spec of a v1alpha3 one. The CRD had no schema.
const misshapen = "65-deletecollection-v1alpha2-conversion.json"

// recorded returns the recorded reviews with a suffix, by name.
func recorded(t testing.TB, suffix string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/reviews/*" + suffix)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recorded reviews: %v", err)
	}
	reviews := map[string]string{}
	for _, path := range paths {
		body := must.Get(os.ReadFile(path))(t)
		reviews[filepath.Base(path)] = string(body)
	}
	return reviews
}

// TestRecordedConversions replays requests of an API server, and decodes the responses as strictly as an API server.
func TestRecordedConversions(t *testing.T) {
	s := newServer(t, Options{Groups: []string{"claims.example.com"}})
	for name, body := range recorded(t, "-conversion.json") {
		if name == misshapen {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sent := reviews.Decode[apiextensionsv1.ConversionReview](t, body)
			request := reviews.NewRequest("/convert?timeout=30s", body)
			request.Header.Set("User-Agent", "kube-apiserver-admission")
			review := reviews.DecodeConversion(t, serve(s, request))
			checkFailure(t, review.Response, nil)
			if review.Response.UID != sent.Request.UID || review.APIVersion != sent.APIVersion ||
				review.Kind != sent.Kind {
				t.Errorf("the answer is for another review: %s %s %s", review.APIVersion, review.Kind,
					review.Response.UID)
			}
			if got, want := len(review.Response.ConvertedObjects), len(sent.Request.Objects); got != want {
				t.Fatalf("%d objects came back, %d were sent", got, want)
			}
			for i := range sent.Request.Objects {
				checkPair(t, sent.Request.DesiredAPIVersion, sent.Request.Objects[i].Raw,
					review.Response.ConvertedObjects[i].Raw)
			}
		})
	}
}

func TestUnexpectedRecordedObjectsAreConvertedAndCounted(t *testing.T) {
	s := newServer(t, Options{Groups: []string{"*"}})
	review := reviews.DecodeConversion(t, serve(s, reviews.NewRequest("/convert", recorded(t, misshapen)[misshapen])))
	checkFailure(t, review.Response, nil)
	counts(t, s, map[string]float64{"conversion_unknown_fields_total{from=v1alpha2,to=v1alpha3}": 1})
}

// checkPair holds what an API server checks of an object and its conversion.
func checkPair(t *testing.T, desired string, before, after []byte) {
	t.Helper()
	var old, converted metav1.PartialObjectMetadata
	for into, raw := range map[*metav1.PartialObjectMetadata][]byte{&old: before, &converted: after} {
		must.Do(t, json.Unmarshal(raw, into))
	}
	if converted.APIVersion != desired || converted.Kind != old.Kind {
		t.Errorf("got %s %s, want %s %s", converted.APIVersion, converted.Kind, desired, old.Kind)
	}
	if converted.Name != old.Name || converted.Namespace != old.Namespace || converted.UID != old.UID {
		t.Errorf("identity changed from %+v to %+v", old.ObjectMeta, converted.ObjectMeta)
	}
	if diff := cmp.Diff(old.Labels, converted.Labels); diff != "" {
		t.Errorf("labels changed (-before +after):\n%s", diff)
	}
	if len(converted.ManagedFields) > 0 {
		t.Error("managedFields traveled back to the API server, which does not read them")
	}
}

// TestRecordedAdmissions replays writes that were allowed when they were recorded.
func TestRecordedAdmissions(t *testing.T) {
	s := newServer(t, Options{Groups: []string{"*"}})
	for name, body := range recorded(t, "-admission.json") {
		t.Run(name, func(t *testing.T) {
			sent := reviews.Decode[admissionv1.AdmissionReview](t, body)
			review := reviews.DecodeAdmission(t, serve(s, reviews.NewRequest("/validate?timeout=10s", body)))
			if review.Response.UID != sent.Request.UID || review.APIVersion != sent.APIVersion ||
				review.Kind != sent.Kind {
				t.Errorf("the answer is for another review: %s %s %s", review.APIVersion, review.Kind,
					review.Response.UID)
			}
			if !review.Response.Allowed {
				t.Errorf("denied: %s", review.Response.Result.Message)
			}
		})
	}
}
