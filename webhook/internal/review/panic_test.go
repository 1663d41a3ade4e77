package review

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/validation"
)

func TestPanicInAConversionFailsOnlyItsObject(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
	s.converter.convert = func(out, object []byte, version string,
		o conversion.Options,
	) ([]byte, conversion.Report, error) {
		if bytes.Contains(object, []byte("top-secret")) {
			panic(string(object))
		}
		return conversion.AppendConverted(out, object, version, o)
	}
	evil := strings.Replace(reviews.ClaimV1alpha2, "gpu.example.com", "top-secret", 1)
	review := reviews.DecodeConversion(t,
		serve(s, reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2, evil))))
	checkFailure(t, review.Response, []string{
		"1 of 2 objects",
		"objects[1]: ResourceClaim default/a: v1alpha2 to v1alpha3: internal error",
	})
	checkPanic(t, s, "convert", log.String())
	counts(t, s, map[string]float64{"conversions_total{from=v1alpha2,result=panicked,to=v1alpha3}": 1})
}

func TestPanicInAHandlerIsAnError(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: reviews.NewLogger(&log)})
	s.validator.validate = func(_ context.Context, r validation.Request) (validation.Result, error) {
		panic(string(r.Object))
	}
	body := strings.Replace(reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null"), "gpu.example.com",
		"top-secret", 1)
	response := serve(s, reviews.NewRequest("/validate", body))
	if got := response.Body; response.Code != http.StatusInternalServerError || got != "internal error\n" {
		t.Errorf("%d: %q", response.Code, got)
	}
	checkPanic(t, s, "validate", log.String())
	counts(t, s, map[string]float64{
		"http_requests_total{code=500,endpoint=validate}": 1,
		"http_request_bytes_in_flight{}":                  0,
	})
}

func checkPanic(t *testing.T, s *server, endpoint, log string) {
	t.Helper()
	counts(t, s, map[string]float64{"panics_total{endpoint=" + endpoint + "}": 1})
	if !strings.Contains(log, "panic_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
	if strings.Contains(log, "top-secret") {
		t.Errorf("the log has a body:\n%s", log)
	}
}
