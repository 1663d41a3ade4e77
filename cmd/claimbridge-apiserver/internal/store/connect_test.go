package store

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"golang.org/x/net/http2"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
)

// What a store may send ahead of a slow reader is what it was told first on a connection.
func TestTheWindowOfAnAnswerIsBounded(t *testing.T) {
	certificates := httptest.NewTLSServer(nil)
	defer certificates.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certificates.TLS.Certificates, NextProtos: []string{http2.NextProtoTLS}})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	window := make(chan uint32, 1)
	go func() { window <- announced(listener) }()
	client, err := New(&rest.Config{Host: "https://" + listener.Addr().String(), TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, caller.Constrained, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"})
	if resp, err := client.AsCaller(ctx, Request{Method: "GET", Resource: "resourceclaims"}); err == nil {
		_ = resp.Body.Close()
		t.Error("a connection without an answer gave one")
	}
	if got := <-window; got != receiveWindow {
		t.Errorf("want a window of %d bytes, got %d", receiveWindow, got)
	}
}

// A transport whose window is set is nobody else's: not another client's with the same configuration, and not Go's own.
func TestATransportIsNotShared(t *testing.T) {
	config := &rest.Config{Host: "http://127.0.0.1:1"}
	seen := map[http.RoundTripper]bool{http.DefaultTransport: true}
	for range 2 {
		_, rt, err := connect(config)
		if err != nil {
			t.Fatal(err)
		}
		if below := Unwrapped(rt); seen[below] {
			t.Errorf("%p is shared", below)
		} else {
			seen[below] = true
		}
	}
}

// announced is the window that the first client of a listener announces; it gets no answer.
func announced(listener net.Listener) uint32 {
	conn, err := listener.Accept()
	if err != nil {
		return 0
	}
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return 0
	}
	frame, err := http2.NewFramer(conn, conn).ReadFrame()
	if err != nil {
		return 0
	}
	settings, ok := frame.(*http2.SettingsFrame)
	if !ok {
		return 0
	}
	value, _ := settings.Value(http2.SettingInitialWindowSize)
	return value
}
