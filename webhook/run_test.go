package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// running is a server with a client that trusts its CA.
type running struct {
	*Server
	url  string
	pool *x509.CertPool
	stop context.CancelFunc
	// ended gives what Run returned.
	ended <-chan error
}

// run a server on free ports of loopback until the end of the test.
func run(t *testing.T, o Options) *running {
	t.Helper()
	o.BindAddress, o.SecurePort = "127.0.0.1", -1
	if o.MetricsBindAddress == "" {
		o.MetricsBindAddress = "127.0.0.1:0"
	}
	r := &running{pool: x509.NewCertPool()}
	if o.Certificates == nil {
		o.Certificates = r.inMemory(t, certs.InMemory{CAFile: filepath.Join(t.TempDir(), "ca.crt")})
	}
	r.Server = newServer(t, o)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	r.stop, r.ended = stop, ended
	go func() { ended <- r.Run(ctx) }()
	select {
	case <-r.Started():
	case err := <-ended:
		t.Fatalf("did not start: %v", err)
	}
	t.Cleanup(stop)
	r.url = "https://" + r.Addr().String()
	return r
}

// inMemory opens a certificate and trusts its CA.
func (r *running) inMemory(t *testing.T, memory certs.InMemory) *certs.Source {
	t.Helper()
	source := must.Get(memory.Open(reviews.NewLogger(io.Discard)))(t)
	ca, err := os.ReadFile(memory.CAFile)
	if err != nil || !r.pool.AppendCertsFromPEM(ca) {
		t.Fatalf("no CA in %s: %v", memory.CAFile, err)
	}
	return source
}

// client returns a client with separate connections.
func (r *running) client(t *testing.T, http2 bool) *http.Client {
	var protocols http.Protocols
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: r.pool, MinVersion: tls.VersionTLS12},
		Protocols:       &protocols,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// wait returns the result of Run.
func (r *running) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the server does not stop")
		return nil
	}
}

func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, Options{})
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		client := r.client(t, http2)
		response := must.Get(send(client, r.url+"/convert",
			strings.NewReader(reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))))(t)
		if response.Proto != name {
			t.Errorf("protocol %s, want %s", response.Proto, name)
		}
		reviews.CheckConverted(t, response)
		_, port := must.Get2(net.SplitHostPort(r.Addr().String()))(t)
		for _, path := range []string{"/livez", "/readyz", "/healthz"} {
			response := get(t, client, "https://localhost:"+port+path)
			if got := response.Body; response.Code != http.StatusOK || got != "ok" {
				t.Errorf("%s: %d %q", path, response.Code, got)
			}
		}
		client.CloseIdleConnections()
	}
	response := get(t, http.DefaultClient, "http://"+r.MetricsAddr().String()+"/metrics")
	for _, want := range []string{
		`claimbridge_http_requests_total{code="200",endpoint="convert"} `,
		`claimbridge_certificate_not_after_timestamp_seconds 1.`,
		`claimbridge_http_request_bytes_in_flight_limit `, "go_goroutines ", "process_start_time_seconds ",
	} {
		if !strings.Contains(response.Body, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "once") {
		t.Errorf("a second run: %v", err)
	}
	r.stop()
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

func TestHTTP2CanBeDisabled(t *testing.T) {
	r := run(t, Options{DisableHTTP2: true, MetricsBindAddress: "0"})
	if r.MetricsAddr() != nil {
		t.Errorf("metrics are served on %s", r.MetricsAddr())
	}
	client := r.client(t, true)
	client.Transport.(*http.Transport).Protocols.SetHTTP1(true)
	if response := get(t, client, r.url+"/livez"); response.Proto != "HTTP/1.1" {
		t.Errorf("protocol %s", response.Proto)
	}
}

// TestAcceptedRequestsAreFinished starts a call, stops the server, and finishes the call after the port is closed.
func TestAcceptedRequestsAreFinished(t *testing.T) {
	r := run(t, Options{})
	more, done := make(chan struct{}), make(chan struct{})
	client := r.client(t, false)
	go func() {
		defer close(done)
		response, err := send(client, r.url+"/convert",
			slowly(reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2), more))
		if err != nil {
			t.Error(err)
			return
		}
		reviews.CheckConverted(t, response)
	}()
	await.True(t, "the call is in flight", func() bool {
		return gather(t, r.Server)["claimbridge_http_requests_in_flight{endpoint=convert}"] == 1
	})
	r.stop()
	await.True(t, "the port is closed", func() bool {
		connection, err := net.Dial("tcp", r.Addr().String())
		if err == nil {
			_ = connection.Close()
		}
		return err != nil
	})
	close(more)
	<-done
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

func TestEndlessCallsDoNotDelayTheStop(t *testing.T) {
	r := run(t, Options{ShutdownTimeout: 50 * time.Millisecond})
	never := make(chan struct{})
	var background sync.WaitGroup
	client := r.client(t, false)
	background.Go(func() {
		if response, err := send(client, r.url+"/convert", slowly("{}", never)); err == nil {
			t.Errorf("an endless call got response %d", response.Code)
		}
	})
	await.True(t, "the call is in flight", func() bool {
		return gather(t, r.Server)["claimbridge_http_requests_in_flight{endpoint=convert}"] == 1
	})
	r.stop()
	if err := r.wait(t); err == nil || !strings.Contains(err.Error(), "still in flight after 50ms") {
		t.Errorf("got %v", err)
	}
	close(never)
	background.Wait()
}

func TestRunErrors(t *testing.T) {
	inUse := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer func() { _ = inUse.Close() }()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("HOME", t.TempDir())
	tests := map[string]struct {
		options Options
		want    string
	}{
		"no certificates": {
			Options{BindAddress: "127.0.0.1", SecurePort: portOf(t, inUse.Addr())},
			"certs.InMemory",
		},
		"a port in use": {
			Options{BindAddress: "127.0.0.1", SecurePort: portOf(t, inUse.Addr())},
			"listen on the secure port",
		},
		"a missing client CA file": {
			Options{ClientCAFile: filepath.Join(t.TempDir(), "ca.crt")},
			"read the CAs of clients",
		},
		"an invalid metrics address": {Options{MetricsBindAddress: "8080"}, "must be host:port"},
		"metrics on a port in use": {
			Options{MetricsBindAddress: inUse.Addr().String()},
			"listen on the metrics address",
		},
		"an invalid health probe address": {
			Options{MetricsBindAddress: "0", HealthProbeBindAddress: "8081"}, "must be host:port",
		},
		"probes on a port in use": {
			Options{MetricsBindAddress: "0", HealthProbeBindAddress: inUse.Addr().String()}, "listen for health probes",
		},
		"metrics on all addresses without a cluster": {
			Options{MetricsBindAddress: ":0"}, "require a cluster that authorizes clients",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			if test.options.SecurePort == 0 {
				test.options.BindAddress, test.options.SecurePort = "127.0.0.1", -1
			}
			if name != "no certificates" && test.options.Certificates == nil {
				test.options.Certificates = must.Get(certs.InMemory{}.Open(reviews.NewLogger(io.Discard)))(t)
			}
			err := newServer(t, test.options).Run(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func portOf(t *testing.T, addr net.Addr) int {
	t.Helper()
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		t.Fatalf("%s is not a TCP address", addr)
	}
	return tcp.Port
}
