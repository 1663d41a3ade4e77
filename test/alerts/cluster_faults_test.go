//go:build e2e

package alerts

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/aggregated/beside"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
)

// An hour of ordinary use of both servers, with a kube-apiserver between them and their clients: nobody is woken. Then the webhook server is slow, and dies.
func TestAnOrdinaryHourAndThenNoServer(t *testing.T) {
	t.Parallel()
	c := start(t)
	s := c.webhooks(t, "--preflight-interval=0") // which would find that no pods run here
	c.served(t)
	other, err := beside.Install(t.Context(), c.Plane, built.APIServer(t), config.AggregatedByDefault)
	t.Cleanup(func() {
		if err := other.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	targets := []target{s.target, c.apiServer(), {url: "https://" + other.Address + "/metrics", token: "admin"}}
	hour := newRecording(time.Minute)
	for range 61 {
		c.ordinary(t)
		c.oldVersions(t)
		s.ordinary(t)
		hour.scrape(t, targets...)
	}
	try(t, hour, expression{Expr: `count_over_time(ALERTS{alertstate="firing"}[1h])`, At: "1h", Samples: []sample{}})

	t.Log("writes wait for the server")
	c.remove(t, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/claimbridge") // the other one is to be slow
	slow := newRecording(time.Minute)
	slow.scrape(t, targets...)
	for range 16 {
		signal(t, s, syscall.SIGSTOP)
		sent, ended := make(chan struct{}), make(chan int, 1)
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) }})
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
		signal(t, s, syscall.SIGCONT)
		if status := <-ended; status != http.StatusCreated {
			t.Fatalf("a slow write: %d", status)
		}
		slow.scrape(t, targets...)
	}
	try(t, slow, fire("8m"), fire("16m", "ClaimbridgeWritesAreSlow"))

	t.Log("no server")
	if err := s.process.Kill(); err != nil {
		t.Fatal(err)
	}
	dead := newRecording(time.Minute)
	dead.scrape(t, targets[1:]...)
	for range 12 {
		if status, text := c.do(t.Context(), t, http.MethodGet, claims("v1alpha2")+"/old", ""); status != http.StatusInternalServerError {
			t.Fatalf("a read: %d %s", status, text)
		}
		if status, text := c.do(t.Context(), t, http.MethodPost, claims("v1"), created("v1", "unjudged-", today)); status != http.StatusInternalServerError {
			t.Fatalf("a write: %d %s", status, text)
		}
		dead.scrape(t, targets[1:]...)
	}
	try(t, dead, fire("4m"), fire("12m", "ClaimbridgeAdmissionUnanswered", "ClaimbridgeConversionUnanswered"))

	t.Log("no aggregated API server")
	if err := other.End(); err != nil {
		t.Fatal(err)
	}
	awaitMetric(t, c.apiServer(), "aggregator_unavailable_apiservice", "name", "v1beta1.resource.k8s.io")
	gone := newRecording(time.Minute)
	for range 6 {
		gone.scrape(t, c.apiServer())
	}
	try(t, gone, fire("1m"), fire("5m", "ClaimbridgeAPIServerUnavailable"))
}

func signal(t *testing.T, s *server, what os.Signal) {
	t.Helper()
	if err := s.process.Signal(what); err != nil {
		t.Fatal(err)
	}
}

// The account of the server lost its rights to write caBundles.
func TestBundlesThatAreNotWritten(t *testing.T) {
	t.Parallel()
	c := start(t)
	text, err := config.Manifests(config.Options{Group: group, Certificates: config.Self})
	c.apply(t, text, err)
	c.remove(t, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/claimbridge")
	s := serve(t, nil, "--group="+group, "--kubeconfig="+c.kubeconfig(t, "claimbridge"), "--certificate-secret="+config.DefaultNamespace+"/claimbridge-ca",
		"--tls-dns-names=claimbridge."+config.DefaultNamespace+".svc", "--preflight-interval=1m")
	other := c.own(t)
	awaitMetric(t, s.target, "claimbridge_preflight_problem")
	awaitMetric(t, s.target, "claimbridge_ca_bundle_mismatch")
	awaitMetric(t, other, "claimbridge_apiserver_ca_bundle_mismatch")
	r := newRecording(time.Minute)
	for range 15 {
		r.scrape(t, s.target, other)
	}
	try(t, r, fire("8m"), fire("14m", "ClaimbridgeAPIServerBundleMismatch", "ClaimbridgeBundleMismatch", "ClaimbridgePreflightProblem"))
}

// own aggregated API server that signs its certificates itself, and may not write its CA.
func (c *cluster) own(t *testing.T) target {
	t.Helper()
	text, err := config.AggregatedManifests(config.AggregatedOptions{Certificates: config.Self})
	c.apply(t, text, err)
	c.remove(t, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/claimbridge-apiserver-authority")
	return c.ownServer(t, plane.Port(t))
}

func (c *cluster) ownServer(t *testing.T, port int) target {
	t.Helper()
	kubeconfig := c.kubeconfig(t, "claimbridge-apiserver")
	run(t, built.APIServer(t), []string{"POD_NAMESPACE=" + config.DefaultNamespace}, "--kubeconfig="+kubeconfig, "--authentication-kubeconfig="+kubeconfig,
		"--authorization-kubeconfig="+kubeconfig, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--versions=v1beta1,v1beta2",
		"--certificate-secret="+config.DefaultNamespace+"/claimbridge-apiserver-ca", "--tls-dns-names=claimbridge-apiserver."+config.DefaultNamespace+".svc")
	url := fmt.Sprintf("https://127.0.0.1:%d/metrics", port)
	awaitOK(t, url, "admin")
	return target{url, "admin"}
}

// Nobody is at the address of the cluster.
func TestPreflightDoesNotRun(t *testing.T) {
	t.Parallel()
	kubeconfig := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],
		"clusters":[{"name":"a","cluster":{"server":"http://127.0.0.1:%d"}}],"users":[{"name":"a","user":{}}]}`, plane.Port(t))
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, nil, "--kubeconfig="+file, "--preflight-interval=1m")
	r := newRecording(time.Minute)
	for range 15 {
		s.ordinary(t)
		r.scrape(t, s.target)
	}
	try(t, r, fire("8m"), fire("14m", "ClaimbridgePreflightDoesNotRun"))
}

// What the aggregated API server can meet: no memory, a v1 that answers errors, and definitions of the group.
func TestFaultsOfTheAggregatedServer(t *testing.T) {
	c, file := start(t), built.APIServer(t)
	t.Setenv("GOMEMLIMIT", "100MiB") // of what is started from here on; it has room for some 35 watches
	s, err := beside.Install(t.Context(), c.Plane, file, config.AggregatedByDefault)
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	m := target{url: "https://" + s.Address + "/metrics", token: "admin"}
	const claims = "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims"

	ctx, stop := context.WithCancel(t.Context())
	for full := false; !full; {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Config.Host+claims+"?watch=true", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		full = response.StatusCode == http.StatusTooManyRequests
	}
	r := newRecording(time.Minute)
	for range 20 {
		if status, text := c.do(ctx, t, http.MethodGet, claims+"?watch=true", ""); status != http.StatusTooManyRequests {
			t.Fatalf("a watch: %d %s", status, text)
		}
		r.scrape(t, m)
	}
	stop()
	try(t, r, fire("8m"), fire("19m", "ClaimbridgeAPIServerSheds"))

	c.apply(t, []byte(fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"dead"},"webhooks":[{"name":"dead.example.com",
		"clientConfig":{"url":"https://127.0.0.1:%d/"},"rules":[{"apiGroups":["resource.k8s.io"],"apiVersions":["*"],"operations":["CREATE"],"resources":["resourceclaims"]}],
		"sideEffects":"None","admissionReviewVersions":["v1"]}]}`, plane.Port(t))), nil)
	const body = `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"generateName":"a-"},"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}]}}}`
	c.comesTo(t, "a v1 that answers errors", http.MethodPost, claims, body, http.StatusInternalServerError)
	r = newRecording(time.Minute)
	for range 20 {
		c.do(t.Context(), t, http.MethodPost, claims, body)
		r.scrape(t, m)
	}
	try(t, r, fire("8m"), fire("19m", "ClaimbridgeAPIServerStoreUnanswered"))

	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	text, err := config.CRDs(config.DefaultGroup)
	c.apply(t, text, err)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitMetric(t, m, "claimbridge_apiserver_version_conflict")
	r = newRecording(time.Minute)
	for range 6 {
		r.scrape(t, m)
	}
	try(t, r, fire("0m"), fire("5m", "ClaimbridgeAPIServerVersionConflict"))
}
