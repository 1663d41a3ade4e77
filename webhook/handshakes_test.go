package webhook

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// The test causes each reason, so that changed texts in a new version of Go are noticed.
func TestFailedHandshakesAreCountedByReason(t *testing.T) {
	r := run(t, Options{MetricsBindAddress: "0"})
	address := r.Addr().String()
	dial := func(config *tls.Config) {
		if connection, err := tls.Dial("tcp", address, config); err == nil {
			_ = connection.Close()
		}
	}
	raw := func(say string, abruptly bool) {
		connection := must.Get(net.Dial("tcp", address))(t)
		_, _ = connection.Write([]byte(say))
		if abruptly {
			_ = connection.(*net.TCPConn).SetLinger(0)
		}
		_ = connection.Close()
	}
	tests := map[string]struct {
		reason string
		call   func()
	}{
		"a caller that trusts another CA": {reasonUntrusted, func() {
			dial(&tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", MinVersion: tls.VersionTLS12})
		}},
		"the same with TLS 1.2": {reasonUntrusted, func() {
			dial(&tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", MaxVersion: tls.VersionTLS12})
		}}, //nolint:gosec // on purpose
		"a caller that asks for another name": {
			reasonUntrusted,
			func() { dial(&tls.Config{RootCAs: r.pool, ServerName: "other.svc", MinVersion: tls.VersionTLS12}) },
		},
		"a caller whose clock is two weeks ahead": {reasonUntrusted, func() {
			dial(&tls.Config{
				RootCAs:    r.pool,
				ServerName: "localhost",
				MinVersion: tls.VersionTLS12,
				Time:       func() time.Time { return time.Now().Add(14 * 24 * time.Hour) },
			})
		}},
		"a caller of the past": {reasonVersion, func() {
			dial(&tls.Config{
				RootCAs: r.pool, ServerName: "localhost", MinVersion: tls.VersionTLS10,
				MaxVersion: tls.VersionTLS11,
			})
		}}, //nolint:gosec // on purpose
		"HTTP without TLS":           {reasonPlain, func() { raw("GET / HTTP/1.1\r\n\r\n", false) }},
		"a probe that only connects": {reasonGone, func() { raw("", false) }},
		"a probe that resets":        {reasonGone, func() { raw("\x16", true) }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			metric := "claimbridge_tls_handshake_failures_total{reason=" + test.reason + "}"
			before := gather(t, r.Server)[metric]
			test.call()
			await.True(t, "it is counted", func() bool { return gather(t, r.Server)[metric] == before+1 })
		})
	}
	for line, want := range map[string]string{
		// takes ten seconds
		"http: TLS handshake error from 10.0.0.1:1: read tcp 10.0.0.2:9443->10.0.0.1:1: i/o timeout": reasonTimeout,
		"http: TLS handshake error from 10.0.0.1:1: something new":                                   metrics.Other,
	} {
		metric := "claimbridge_tls_handshake_failures_total{reason=" + want + "}"
		before := gather(t, r.Server)[metric]
		r.errorLog().Print(line)
		if got := gather(t, r.Server)[metric]; got != before+1 {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// TestSharedAuthorityWithoutAPIServerIsAliveButNotReady starts a server whose Secret cannot be read. A kubelet, which
// trusts any certificate, must not restart it.
func TestSharedAuthorityWithoutAPIServerIsAliveButNotReady(t *testing.T) {
	closed := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	_ = closed.Close()
	secret := certs.InSecret{
		Namespace:  "a",
		Name:       "b",
		Kubeconfig: kubeconfigOf(t, "https://"+closed.Addr().String()),
	}
	r := run(t, Options{Certificates: must.Get(secret.Open(reviews.NewLogger(io.Discard)))(t)})
	//nolint:gosec // as a kubelet
	kubelet := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer kubelet.CloseIdleConnections()
	for path, want := range map[string]int{
		"/livez":             http.StatusOK,
		"/readyz":            http.StatusInternalServerError,
		"/readyz/conversion": http.StatusOK,
	} {
		if got := get(t, kubelet, r.url+path); got.Code != want {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
	r.stop()
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

// The log lines about failed handshakes are limited. internal/review tests the limits of its own lines.
func TestHandshakesDoNotFillTheLog(t *testing.T) {
	var log bytes.Buffer
	errors := newServer(t, Options{Logger: reviews.NewLogger(&log)}).errorLog()
	errors.Writer().(*handshakeErrorWriter).lines.SetLimit(0) // no line comes with time
	for range loglimit.Burst + 30 {
		errors.Print("http: TLS handshake error from 10.0.0.1:1: EOF")
	}
	if got := strings.Count(log.String(), "TLS handshake error"); got != loglimit.Burst {
		t.Errorf("%d lines, want %d", got, loglimit.Burst)
	}
}
