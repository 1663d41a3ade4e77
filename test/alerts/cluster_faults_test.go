//go:build e2e

package alerts

import (
	"bytes"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// One hour of normal use through a kube-apiserver fires no alert. Then the server is slow, and then stops.
func TestNormalUseAndThenNoServer(t *testing.T) {
	t.Parallel()
	c := start(t)
	s := c.webhooks(t)
	c.served(t)
	targets := []target{s.target, c.apiServer()}
	hour := newRecording(time.Minute)
	for range 61 {
		c.ordinary(t)
		s.ordinary(t)
		hour.scrape(t, targets...)
	}
	try(t, hour, expression{Expr: `count_over_time(ALERTS{alertstate="firing"}[1h])`, At: "1h", Samples: []sample{}})

	t.Log("writes wait for the server")
	// the other one is to be slow
	c.remove(t, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/claimbridge")
	slow := newRecording(time.Minute)
	slow.scrape(t, targets...)
	for range 16 {
		must.Do(t, s.process.Pause())
		sent, ended := make(chan struct{}), make(chan int, 1)
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) },
		})
		go func() {
			status, _ := c.do(ctx, t, http.MethodPost, claims("v1"), created("v1", "slow-", today))
			ended <- status
		}()
		<-sent
		slowly := time.After(1300 * time.Millisecond) // the fault itself: a call lasts at least as long
		select {
		case status := <-ended:
			t.Fatalf("a write did not wait for the server: %d", status)
		case <-slowly:
		}
		must.Do(t, s.process.Resume())
		if status := <-ended; status != http.StatusCreated {
			t.Fatalf("a slow write: %d", status)
		}
		slow.scrape(t, targets...)
	}
	try(t, slow, fire("8m"), fire("16m", "ClaimbridgeWritesAreSlow"))

	t.Log("no server")
	must.Do(t, s.process.Kill())
	dead := newRecording(time.Minute)
	dead.scrape(t, targets[1:]...)
	for range 12 {
		if status, text := c.do(t.Context(), t, http.MethodGet, claims("v1alpha2")+"/old",
			""); status != http.StatusInternalServerError {
			t.Fatalf("a read: %d %s", status, text)
		}
		status, text := c.do(t.Context(), t, http.MethodPost, claims("v1"), created("v1", "not-validated-", today))
		if status != http.StatusInternalServerError {
			t.Fatalf("a write: %d %s", status, text)
		}
		dead.scrape(t, targets[1:]...)
	}
	try(t, dead, fire("4m"), fire("12m", "ClaimbridgeAdmissionUnanswered", "ClaimbridgeConversionUnanswered"))
}

// The account of the server lost its rights to write caBundles.
func TestBundlesThatAreNotWritten(t *testing.T) {
	t.Parallel()
	c := start(t)
	text, err := config.Manifests(config.Options{Group: group, Certificates: config.Self})
	const reads, writes = "  verbs:\n  - get\n", "  - patch\n"
	if n := bytes.Count(text, []byte(reads+writes)); n != 2 {
		t.Fatalf("%d rules allow reads and writes", n)
	}
	c.apply(t, bytes.ReplaceAll(text, []byte(reads+writes), []byte(reads)), err)
	s := c.serve(t)
	awaitMetric(t, s.target, "claimbridge_ca_bundle_mismatch")
	awaitMetric(t, s.target, "claimbridge_certificate_not_after_timestamp_seconds")
	r := newRecording(time.Minute)
	for range 15 {
		r.scrape(t, s.target)
	}
	try(t, r, fire("8m"), fire("14m", "ClaimbridgeBundleMismatch"))
}
