//go:build e2e

package aggregated

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/aggregated/beside"
)

// connections that a client makes who asks a server without a pause, until it is not there any more: when each was made. By HTTP/1.1: who is nobody
// known has a connection of HTTP/2 for one request.
func connections(t *testing.T, s *beside.Server) (made <-chan []time.Time) {
	t.Helper()
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(s.CA)
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS13}}}
	t.Cleanup(client.CloseIdleConnections)
	var all []time.Time
	trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if !got.Reused {
			all = append(all, time.Now())
		}
	}})
	ask := func() error {
		r, err := http.NewRequestWithContext(trace, http.MethodGet, "https://"+s.Address+"/livez", nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.Body.Close()
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan []time.Time)
	go func() {
		for ask() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		ended <- all
	}()
	return ended
}

// endedHalfway tells whether the connection of before was kept for half of the delay, and then ended before the server.
func endedHalfway(t *testing.T, made []time.Time, signal time.Time, delay time.Duration) {
	t.Helper()
	if len(made) < 2 {
		t.Fatal("no connection has ended before the server")
	}
	if after := made[1].Sub(signal); after < delay/2 {
		t.Errorf("a connection was ended %s after the signal, want %s at least", after, delay/2)
	}
}
