//go:build e2e

package soak

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	// unreadConnections have 8 streams with 64 KiB each. Together, they use the 64 MiB that the server has for bodies
	// and responses with the memory limit of the manifests.
	unreadConnections = 140
	unreadStreams     = 8
)

// TestUnreadResponses sends reviews over HTTP/2 and does not read the responses. The server must drop the responses, so
// that normal calls are served soon after the attack, although its connections stay open.
func TestUnreadResponses(t *testing.T) {
	s := startServer(t)
	claim := attack.Claim("v1beta1", `,"annotations":{"a":"`+strings.Repeat("x", 6000)+`"}`, `,"spec":{"devices":{}}`)
	clients := &unreadClients{
		address: s.address,
		body:    []byte(reviews.Conversion("resource.k8s.io/v1", claim)),
		stop:    make(chan struct{}),
	}
	defer clients.close()
	for range unreadConnections {
		must.Do(t, clients.open())
	}
	started := time.Now()
	delayed := 0
	for time.Since(started) < attackTime {
		callStarted := time.Now()
		if s.normalCall(t) != nil || time.Since(callStarted) > time.Second { // normalCall retries after 429
			delayed++
		}
		time.Sleep(500 * time.Millisecond)
	}
	close(clients.stop)
	if delayed == 0 {
		t.Error("no normal call was delayed during the attack, so it does not use all memory")
	}
	ended := time.Now()
	for s.normalCall(t) != nil && time.Since(ended) <= recovery {
		time.Sleep(100 * time.Millisecond)
	}
	recovered := time.Since(ended)
	t.Logf("normal calls delayed during the attack: %d; served again %s after its end", delayed,
		recovered.Round(time.Millisecond))
	if recovered > recovery {
		t.Errorf("normal calls are served %s after the attack, want at most %s", recovered, recovery)
	}
	checkPeakMemory(t, must.Get(s.peakMemory())(t), memoryLimit)
}

// unreadClients send reviews with a flow control window of 0 for the responses.
type unreadClients struct {
	address string
	body    []byte
	// stop is closed when clients must send no more requests. The connections stay open.
	stop chan struct{}

	mutex       sync.Mutex
	connections []io.Closer
}

func (c *unreadClients) close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, connection := range c.connections {
		_ = connection.Close()
	}
}

// open opens a connection with a request on each stream.
func (c *unreadClients) open() error {
	//nolint:gosec // an attacker trusts any server
	connection, err := tls.Dial("tcp", c.address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	if err != nil {
		return err
	}
	c.mutex.Lock()
	c.connections = append(c.connections, connection)
	c.mutex.Unlock()
	if _, err := io.WriteString(connection, http2.ClientPreface); err != nil {
		return err
	}
	framer := http2.NewFramer(connection, connection)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if err := framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}); err != nil {
		return err
	}
	nextStream := uint32(1)
	for range unreadStreams {
		if err := c.request(framer, nextStream); err != nil {
			return err
		}
		nextStream += 2
	}
	go c.replaceRequests(framer, nextStream)
	return nil
}

// replaceRequests sends a request when an earlier one ends or is rejected, until the attack stops.
func (c *unreadClients) replaceRequests(framer *http2.Framer, nextStream uint32) {
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				_ = framer.WriteSettingsAck()
			}
			continue
		case *http2.MetaHeadersFrame:
			if frame.PseudoValue("status") != "429" {
				continue
			}
			_ = framer.WriteRSTStream(frame.StreamID, http2.ErrCodeCancel)
		case *http2.RSTStreamFrame:
		default:
			continue
		}
		select {
		case <-c.stop:
		default:
			_ = c.request(framer, nextStream)
			nextStream += 2
		}
	}
}

// request sends a conversion, without a Content-Length.
func (c *unreadClients) request(framer *http2.Framer, stream uint32) error {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, header := range [][2]string{
		{":method", "POST"},
		{":scheme", "https"},
		{":authority", c.address},
		{":path", "/convert"},
		{"content-type", "application/json"},
	} {
		if err := encoder.WriteField(hpack.HeaderField{Name: header[0], Value: header[1]}); err != nil {
			return err
		}
	}
	err := framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true,
	})
	if err != nil {
		return fmt.Errorf("stream %d: %w", stream, err)
	}
	return framer.WriteData(stream, true, c.body)
}
