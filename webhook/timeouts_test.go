package webhook

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestConnectionsTimeOut checks the configured timeouts, because a test cannot wait for them. An API server closes
// connections that are idle for 90 s, and waits at most 30 s for a response.
func TestConnectionsTimeOut(t *testing.T) {
	server := newServer(t, Options{}).httpServer(http.NotFoundHandler())
	got := []time.Duration{server.IdleTimeout, server.ReadTimeout, server.WriteTimeout, server.ReadHeaderTimeout}
	want := []time.Duration{2 * time.Minute, 2*time.Minute + 30*time.Second, time.Minute, 2 * time.Minute}
	if !slices.Equal(got, want) {
		t.Errorf("idle, reading, writing, and reading a header: %s, want %s", got, want)
	}
}

// A client can have 8 streams on a connection, and send 64 KiB, on one stream or on all together, before a handler
// reads.
func TestHTTP2HasTheAnnouncedLimits(t *testing.T) {
	r := run(t, Options{MetricsBindAddress: "0"})
	connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{
		RootCAs: r.pool, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_ = connection.SetDeadline(time.Now().Add(30 * time.Second))
	framer := http2.NewFramer(connection, connection)
	must.Get(connection.Write([]byte(http2.ClientPreface)))(t)
	must.Do(t, framer.WriteSettings())
	// The server sends its settings before the response to a request.
	var header bytes.Buffer
	encoder := hpack.NewEncoder(&header)
	for _, f := range [][2]string{
		{":method", "GET"}, {":scheme", "https"}, {":authority", "localhost"}, {":path", "/livez"},
	} {
		must.Do(t, encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}))
	}
	must.Do(t, framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: 1, BlockFragment: header.Bytes(), EndStream: true, EndHeaders: true,
	}))
	const protocol = 65535 // the initial window of a stream and of a connection
	streams, stream, all := uint32(0), uint32(protocol), uint32(protocol)
	for answered := false; !answered; {
		frame := must.Get(framer.ReadFrame())(t)
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if v, ok := frame.Value(http2.SettingMaxConcurrentStreams); ok {
				streams = v
			}
			if v, ok := frame.Value(http2.SettingInitialWindowSize); ok {
				stream = v
			}
		case *http2.WindowUpdateFrame:
			all += frame.Increment
		case *http2.HeadersFrame:
			answered = true
		}
	}
	if streams != 8 {
		t.Errorf("%d streams are allowed", streams)
	}
	if stream > 64<<10 || all > 64<<10 {
		t.Errorf("the window is %d bytes for a stream and %d for the connection, want at most 64 KiB", stream,
			all)
	}
}
