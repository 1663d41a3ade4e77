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

// One hour of normal use through a kube-apiserver fires no alert. A slow server fires one, and a stopped server others.
func TestNormalSlowAndStoppedServer(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	s := c.installWebhooks(t)
	c.awaitWebhooks(t)
	targets := []target{s.target, c.apiServer()}
	normalUse := newRecording(time.Minute)
	for range 61 {
		c.sendNormalRequests(t)
		s.sendNormalRequests(t)
		normalUse.scrape(t, targets...)
	}
	checkRules(t, normalUse,
		expression{Expr: `count_over_time(ALERTS{alertstate="firing"}[1h])`, At: "1h", Samples: []sample{}})

	t.Log("writes wait for the server")
	// The validating webhook remains, and is the slow one.
	c.delete(t, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/claimbridge")
	slowServer := newRecording(time.Minute)
	slowServer.scrape(t, targets...)
	for range 16 {
		must.Do(t, s.process.Pause())
		sent := make(chan struct{})
		responseStatus := make(chan int, 1)
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) },
		})
		go func() {
			status, _ := c.do(ctx, t, http.MethodPost, claimsPath("v1"), claimBody("v1", "slow-", v1Spec))
			responseStatus <- status
		}()
		<-sent
		delay := time.After(1300 * time.Millisecond) // the fault: each call takes at least this long
		select {
		case status := <-responseStatus:
			t.Fatalf("the write did not wait for the server: got status %d", status)
		case <-delay:
		}
		must.Do(t, s.process.Resume())
		if status := <-responseStatus; status != http.StatusCreated {
			t.Fatalf("slow write: got status %d, want %d", status, http.StatusCreated)
		}
		slowServer.scrape(t, targets...)
	}
	checkRules(t, slowServer, firing("8m"), firing("16m", "ClaimbridgeWritesAreSlow"))

	t.Log("no server")
	must.Do(t, s.process.Kill())
	stoppedServer := newRecording(time.Minute)
	stoppedServer.scrape(t, c.apiServer())
	for range 12 {
		status, text := c.do(t.Context(), t, http.MethodGet, claimsPath("v1alpha2")+"/old", "")
		if status != http.StatusInternalServerError {
			t.Fatalf("read without a server: got status %d, want %d\n%s", status, http.StatusInternalServerError, text)
		}
		status, text = c.do(t.Context(), t, http.MethodPost, claimsPath("v1"),
			claimBody("v1", "not-validated-", v1Spec))
		if status != http.StatusInternalServerError {
			t.Fatalf("write without a server: got status %d, want %d\n%s", status, http.StatusInternalServerError, text)
		}
		stoppedServer.scrape(t, c.apiServer())
	}
	checkRules(t, stoppedServer, firing("4m"),
		firing("12m", "ClaimbridgeAdmissionUnanswered", "ClaimbridgeConversionUnanswered"))
}

// The server's account has no permission to write caBundles.
func TestUnwrittenCABundles(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	manifests := must.Get(config.Manifests(config.Options{Group: group, Certificates: config.Self}))(t)
	const (
		getOnly     = "  verbs:\n  - get\n"
		getAndPatch = getOnly + "  - patch\n"
	)
	if n := bytes.Count(manifests, []byte(getAndPatch)); n != 2 {
		t.Fatalf("got %d RBAC rules that allow get and patch, want 2", n)
	}
	c.apply(t, bytes.ReplaceAll(manifests, []byte(getAndPatch), []byte(getOnly)))
	s := c.serve(t)
	awaitMetric(t, s.target, "claimbridge_ca_bundle_mismatch")
	awaitMetric(t, s.target, "claimbridge_certificate_not_after_timestamp_seconds")
	r := newRecording(time.Minute)
	for range 15 {
		r.scrape(t, s.target)
	}
	checkRules(t, r, firing("8m"), firing("14m", "ClaimbridgeBundleMismatch"))
}
