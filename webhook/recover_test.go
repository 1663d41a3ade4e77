package webhook

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

func TestAPanicWhileConvertingFailsItsObjectOnly(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: logTo(&log)})
	c := &converter{groups: groups{"*"}, metrics: s.metrics, log: s.log, failures: newLogLimit(), budget: newBudget(1<<30, &s.draining)}
	c.convert = func(out, object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error) {
		if bytes.Contains(object, []byte("top-secret")) {
			panic(string(object))
		}
		return conversion.Append(out, object, version, o)
	}
	handler := s.guard("convert", &door{s.options.MaxBodyBytes, newBudget(1<<20, &s.draining), newSlots(10), s.metrics, c.answer})
	s.handler = handler
	evil := strings.Replace(claimV1alpha2, "gpu.example.com", "top-secret", 1)
	review := convertAnswer(t, serve(s, post("/convert", conversionOf("resource.k8s.io/v1alpha3", claimV1alpha2, evil))))
	checkFailure(t, review.Response, []string{"1 of 2 objects", "objects[1]: ResourceClaim default/a: v1alpha2 to v1alpha3: internal error"})
	checkPanic(t, s, "convert", log.String())
	if got := gather(t, s)["claimbridge_conversions_total{from=v1alpha2,result=panicked,to=v1alpha3}"]; got != 1 {
		t.Errorf("%v conversions panicked, want 1", got)
	}
}

func TestAPanicInAHandlerIsAnswered(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, Options{Logger: logTo(&log)})
	s.judge.verdict = func(_ context.Context, r validation.Request) (validation.Verdict, error) { panic(string(r.Object)) }
	body := strings.Replace(admissionOf("CREATE", "", claimV1alpha2, "null"), "gpu.example.com", "top-secret", 1)
	response := serve(s, post("/validate", body))
	if got := response.body; response.code != http.StatusInternalServerError || got != "internal error\n" {
		t.Errorf("%d: %q", response.code, got)
	}
	checkPanic(t, s, "validate", log.String())
	if got := gather(t, s)["claimbridge_http_requests_total{code=500,endpoint=validate}"]; got != 1 {
		t.Errorf("%v requests with code 500, want 1", got)
	}
	if got := gather(t, s)["claimbridge_http_request_bytes_in_flight{}"]; got != 0 {
		t.Errorf("%v bytes are still held", got)
	}
}

func checkPanic(t *testing.T, s *Server, endpoint, log string) {
	t.Helper()
	if got := gather(t, s)["claimbridge_panics_total{endpoint="+endpoint+"}"]; got != 1 {
		t.Errorf("%v panics counted, want 1", got)
	}
	if !strings.Contains(log, "recover_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
	if strings.Contains(log, "top-secret") {
		t.Errorf("the log has a body:\n%s", log)
	}
}
