package webhook

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// silentConnection returns a TCP connection to an address that has sent a text and sends nothing more.
func silentConnection(t *testing.T, address net.Addr, say string) net.Conn {
	t.Helper()
	connection := must.Get(net.Dial("tcp", address.String()))(t)
	t.Cleanup(func() { _ = connection.Close() })
	must.Get(io.WriteString(connection, say))(t)
	return connection
}

// awaitResponse reads the response to a request that was sent on a connection, which stays open.
func awaitResponse(t *testing.T, connection net.Conn) {
	t.Helper()
	response := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}

// silentHTTP2 returns a connection that has sent the preface of HTTP/2, and no request.
func silentHTTP2(t *testing.T, r *running) {
	t.Helper()
	config := &tls.Config{RootCAs: r.pool, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}}
	connection := must.Get(tls.Dial("tcp", r.Addr().String(), config))(t)
	t.Cleanup(func() { _ = connection.Close() })
	must.Get(io.WriteString(connection, http2.ClientPreface))(t)
	must.Do(t, http2.NewFramer(connection, connection).WriteSettings())
}

const halfHeader = "POST /convert HTTP/1.1\r\nHost: x\r\n"

const aliveRequest = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

// TestUnusedConnectionsAreReplaced checks that a call is served while idle clients hold all connections. No client
// closes its connection, and no timeout of the server ends one during the test.
func TestUnusedConnectionsAreReplaced(t *testing.T) {
	const limit = 3
	tests := map[string]struct {
		open   func(*testing.T, *running)
		within time.Duration
	}{
		"no handshake": {func(t *testing.T, r *running) { silentConnection(t, r.Addr(), "") }, 6 * time.Second},
		"a part of a handshake": {
			func(t *testing.T, r *running) { silentConnection(t, r.Addr(), "\x16\x03\x01\x02\x00") }, 6 * time.Second,
		},
		"no request":              {func(t *testing.T, r *running) { raw(t, r, "") }, 6 * time.Second},
		"half a header":           {func(t *testing.T, r *running) { raw(t, r, halfHeader) }, 6 * time.Second},
		"HTTP/2 without a stream": {func(t *testing.T, r *running) { silentHTTP2(t, r) }, 6 * time.Second},
		"a request, and then none": {
			func(t *testing.T, r *running) { awaitResponse(t, raw(t, r, aliveRequest)) }, 6 * time.Second,
		},
		"a request whose body does not arrive": {
			func(t *testing.T, r *running) {
				raw(t, r, "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n")
			}, activeGrace + 6*time.Second,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, Options{MaxConnections: limit, MetricsBindAddress: "0"})
			for range limit {
				test.open(t, r)
			}
			client := r.client(t, false)
			client.Timeout = test.within
			body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
			begin := time.Now()
			response, err := send(client, r.url+"/convert", strings.NewReader(body))
			if err != nil {
				t.Fatal("an honest call is not served: ", err)
			}
			reviews.CheckConverted(t, response)
			t.Log("served after ", time.Since(begin).Round(time.Millisecond))
		})
	}
}

// TestUsedConnectionsStay checks that connections that have completed a request are closed last.
func TestUsedConnectionsStay(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MaxConnections: 2, MetricsBindAddress: "0"})
	used := raw(t, r, aliveRequest)
	awaitResponse(t, used)
	silentConnection(t, r.Addr(), "")
	time.Sleep(firstRequestGrace)
	for range 3 { // each replaces the silent one before it
		awaitResponse(t, raw(t, r, aliveRequest))
		time.Sleep(firstRequestGrace)
		must.Get(io.WriteString(used, aliveRequest))(t)
		awaitResponse(t, used)
	}
}

// TestNewConnectionsStayOpen checks that a connection has time for its handshake, and that the server stops while
// another one waits.
func TestNewConnectionsStayOpen(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MaxConnections: 1, MetricsBindAddress: "0"})
	young := silentConnection(t, r.Addr(), "")
	silentConnection(t, r.Addr(), "")
	_ = young.SetReadDeadline(time.Now().Add(firstRequestGrace / 2))
	if _, err := young.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a connection is closed before %s: %v", firstRequestGrace, err)
	}
	r.stop()
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

// TestHandshakesThatEndAtTheLimitAreCounted checks the metric of failed handshakes.
func TestHandshakesThatEndAtTheLimitAreCounted(t *testing.T) {
	r := run(t, Options{MaxConnections: 1, MetricsBindAddress: "0"})
	silentConnection(t, r.Addr(), "")
	silentConnection(t, r.Addr(), "")
	await.True(t, "the first one is counted", func() bool {
		return gather(t, r.Server)["claimbridge_tls_handshake_failures_total{reason="+reasonLimit+"}"] >= 1
	})
}

// TestProbesAreAnsweredWithAnyNumberOfConnections opens connections to the secure port and to the health probe address.
func TestProbesAreAnsweredWithAnyNumberOfConnections(t *testing.T) {
	r := run(t, Options{MaxConnections: 2, MetricsBindAddress: "0", HealthProbeBindAddress: "127.0.0.1:0"})
	kubelet := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	probe := func(when string) {
		t.Helper()
		for _, path := range []string{"/livez", "/readyz", "/healthz", "/livez/ping"} {
			begin := time.Now()
			got := get(t, kubelet, "http://"+r.HealthProbeAddr().String()+path)
			if got.Code != http.StatusOK || !got.Close {
				t.Errorf("%s, %s: %d %s, closes: %v", when, path, got.Code, got.Body, got.Close)
			}
			t.Logf("%s, %s: %s", when, path, time.Since(begin).Round(time.Millisecond))
		}
	}
	probe("without others")
	for range 4 {
		silentConnection(t, r.Addr(), "")
	}
	probe("with a full secure port")
	for range probeConnections + 10 {
		silentConnection(t, r.HealthProbeAddr(), "")
	}
	probe("with silent connections to the probes")
	for range probeConnections + 10 {
		silentConnection(t, r.HealthProbeAddr(), "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
	}
	probe("with half a request on each")
	if got := get(t, kubelet, "http://"+r.HealthProbeAddr().String()+"/convert"); got.Code != http.StatusNotFound {
		t.Errorf("claims are converted without TLS: %d", got.Code)
	}
}
