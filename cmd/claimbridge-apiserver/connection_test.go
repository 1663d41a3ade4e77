package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/authentication/authenticator"
)

// A connection is an API server's when a request over it has come with the certificate of the front proxy, and of nobody else: over TLS as it is
// served, with both versions of HTTP.
func TestWhoseAConnectionIs(t *testing.T) {
	ca := newSigner(t, "ca", time.Hour)
	p := &proxied{t: t, ca: ca, trusted: ca, names: []string{"proxy"}}
	a := newFrontProxy(p.config(), authenticator.RequestFunc(func(*http.Request) (*authenticator.Response, bool, error) { return nil, false, nil }))
	server := httptest.NewUnstartedServer(newStrangers().outside(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _, _ = a.AuthenticateRequest(r)
	})))
	l := newBounded(server.Listener, 4, 4)
	server.Listener, server.EnableHTTP2 = l, true
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	type client struct {
		chain  []*x509.Certificate
		key    any
		http2  bool
		proven int
	}
	leaf, key := ca.issueWithKey(t, "proxy", time.Hour)
	forged, forgedKey := newSigner(t, "ca", time.Hour).issueWithKey(t, "proxy", time.Hour)
	tests := map[string]client{
		"an API server, HTTP/2":             {leaf, key, true, 1},
		"an API server, HTTP/1":             {leaf, key, false, 1},
		"a certificate that somebody made":  {forged, forgedKey, true, 0},
		"no certificate, HTTP/2":            {nil, nil, true, 0},
		"no certificate, HTTP/1, as probes": {nil, nil, false, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: test.http2} //nolint:gosec // of a test
			if test.chain != nil {
				transport.TLSClientConfig.Certificates = []tls.Certificate{{Certificate: [][]byte{test.chain[0].Raw}, PrivateKey: test.key}}
			}
			defer transport.CloseIdleConnections()
			ask := func() *http.Response {
				t.Helper()
				response, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Get(server.URL)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				return response
			}
			if ask(); ask().ProtoMajor != 1 != test.http2 {
				t.Error("not the version of HTTP that is meant")
			}
			l.mutex.Lock()
			proven, strangers := l.proven, l.strangers.Len()
			for e := l.strangers.Front(); e != nil; e = e.Next() {
				e.Value.(*connection).since = time.Now().Add(-l.lives / 2)
			}
			l.mutex.Unlock()
			if proven != test.proven || proven+strangers != 1 {
				t.Errorf("%d of API servers, %d of strangers", proven, strangers)
			}
			ask()
			if test.proven == 1 { // others are told to go, after half of their time
				transport.CloseIdleConnections()
			}
			for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
				l.mutex.Lock()
				left := l.proven + l.strangers.Len()
				l.mutex.Unlock()
				if left == 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%d are left", left)
				}
			}
		})
	}
}
