//go:build e2e

package soak

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	// silentConnections are more than the 1,024 that the server accepts with the memory limit of the manifests.
	silentConnections = 1300
	// attackTime is the duration of an attack. All timeouts of the server are longer.
	attackTime = 15 * time.Second
	// The timeouts of the deployment's probes, and the number of consecutive failures after which a kubelet acts.
	livenessTimeout    = 5 * time.Second
	livenessThreshold  = 3
	readinessTimeout   = 2 * time.Second
	readinessThreshold = 2
)

// flood is many connections whose clients send a text and are then silent.
type flood struct {
	// isSecure is set if connections complete the TLS handshake.
	isSecure bool
	text     string
	// isReopened is set if clients open a connection again when the server closes it.
	isReopened bool
}

var floods = map[string]flood{
	"part of a handshake": {text: "\x16\x03\x01\x02\x00", isReopened: true},
	"half of a header":    {text: "POST /convert HTTP/1.1\r\nHost: localhost\r\n", isSecure: true},
	"one request":         {text: "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n", isSecure: true},
	"no body": {
		text: "POST /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n", isSecure: true,
	},
}

// How a flood ends.
const (
	endClose  = "close"  // connections are closed
	endHang   = "hang"   // connections stay open and silent
	endVanish = "vanish" // packets are dropped, as after a network failure or with a network policy
)

// TestSilentConnections opens more connections than the server accepts, without credentials, and sends probes like a
// kubelet. Probes must not fail often enough for a kubelet to act, and normal calls must be served soon after the
// flood, for each way in which it ends.
func TestSilentConnections(t *testing.T) {
	for name, f := range floods {
		for _, end := range []string{endClose, endHang, endVanish} {
			if testing.Short() && (end == endClose || !f.isReopened) {
				continue
			}
			t.Run(name+"/"+end, func(t *testing.T) { f.run(t, end) })
		}
	}
}

func (f flood) run(t *testing.T, end string) {
	s := startServer(t)
	clients := &floodClients{flood: f, server: s, stop: make(chan struct{})}
	defer clients.close()
	var probes sync.WaitGroup
	defer probes.Wait()
	done := make(chan struct{})
	stopProbes := sync.OnceFunc(func() { close(done) })
	defer stopProbes()
	probes.Go(func() { s.probe(t, "/livez", livenessTimeout, livenessThreshold, done) })
	probes.Go(func() { s.probe(t, "/readyz", readinessTimeout, readinessThreshold, done) })

	begin := time.Now()
	for range silentConnections {
		must.Do(t, clients.open())
	}
	opened := time.Now()
	t.Log("all connections are opened after ", opened.Sub(begin).Round(time.Millisecond))
	servedDuringFlood := 0
	for time.Since(opened) < attackTime {
		if s.normalCall(t) == nil {
			servedDuringFlood++
		}
		time.Sleep(500 * time.Millisecond)
	}
	close(clients.stop)
	switch end {
	case endClose:
		clients.close()
	case endVanish:
		must.Do(t, clients.dropPackets())
	}
	ended := time.Now()
	for {
		err := s.normalCall(t)
		if err == nil {
			break
		}
		if time.Since(ended) > recovery {
			t.Fatalf("%s after the flood, normal calls are not served: %v", recovery, err)
		}
	}
	recovered := time.Since(ended)
	t.Logf("normal calls served during the flood: %d; served again %s after its end",
		servedDuringFlood, recovered.Round(time.Millisecond))
	if recovered > recovery {
		t.Errorf("normal calls are served %s after the flood, want at most %s", recovered, recovery)
	}
	checkPeakMemory(t, must.Get(s.peakMemory())(t), memoryLimit)
}

// normalCall sends a normal call on a separate connection.
func (s *server) normalCall(t *testing.T) error {
	t.Helper()
	client := s.client()
	defer client.CloseIdleConnections()
	client.Timeout = recovery
	results := &callResults{}
	if !results.sendNormal(s, client, 0) {
		return errors.New(results.failed[0])
	}
	return nil
}

// probe sends probes like a kubelet, but more often, until done is closed. It fails the test if threshold consecutive
// probes fail. A single one may fail because the machine is busy.
func (s *server) probe(t *testing.T, path string, timeout time.Duration, threshold int, done <-chan struct{}) {
	kubelet := &http.Client{Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true}}
	var longest time.Duration
	var probes, failed, consecutiveFailures int
	defer func() {
		t.Logf("%s: %d probes, %d failed, the longest took %s", path, probes, failed, longest.Round(time.Millisecond))
	}()
	for {
		begin := time.Now()
		err := probeOnce(kubelet, "http://"+s.probeAddress+path)
		longest = max(longest, time.Since(begin))
		probes++
		if err != nil {
			failed++
			consecutiveFailures++
		} else {
			consecutiveFailures = 0
		}
		if consecutiveFailures == threshold {
			t.Errorf("%s: got %d consecutive failures, want fewer than %d: %v", path, consecutiveFailures, threshold, err)
		}
		select {
		case <-done:
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func probeOnce(kubelet *http.Client, url string) error {
	response, err := kubelet.Get(url)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// floodClients are the clients of a flood.
type floodClients struct {
	flood
	server *server
	// stop is closed when clients no longer reopen connections.
	stop chan struct{}

	mutex       sync.Mutex
	connections []*net.TCPConn
}

// open opens a connection, and reopens it if the server closes it and isReopened is set.
func (c *floodClients) open() error {
	dialed, err := net.DialTimeout("tcp", c.server.address, attackTime)
	if err != nil {
		return err
	}
	plain, ok := dialed.(*net.TCPConn)
	if !ok {
		return fmt.Errorf("%T is not a TCP connection", dialed)
	}
	c.mutex.Lock()
	c.connections = append(c.connections, plain)
	c.mutex.Unlock()
	var connection net.Conn = plain
	if c.isSecure {
		//nolint:gosec // an attacker trusts any server
		connection = tls.Client(plain, &tls.Config{InsecureSkipVerify: true})
	}
	// The write also completes the TLS handshake. Handshakes are not concurrent, because this test is about connections
	// and not about processor time.
	_, _ = io.WriteString(connection, c.text)
	go func() {
		_, _ = io.Copy(io.Discard, plain)
		select {
		case <-c.stop:
		case <-time.After(100 * time.Millisecond):
			if c.isReopened {
				_ = plain.Close()
				_ = c.open()
			}
		}
	}()
	return nil
}

func (c *floodClients) close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, plain := range c.connections {
		_ = plain.Close()
	}
}

// dropPackets makes the kernel drop each packet to the clients. It sends no response, FIN or reset.
func (c *floodClients) dropPackets() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	dropAll := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K}}
	program := &unix.SockFprog{Len: uint16(len(dropAll)), Filter: &dropAll[0]}
	var errs []error
	for _, plain := range c.connections {
		raw, err := plain.SyscallConn()
		if err != nil { // the connection is closed
			continue
		}
		err = raw.Control(func(fd uintptr) {
			errs = append(errs, unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, program))
		})
		if err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	err := errors.Join(errs...)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("socket filters: %w", err)
	}
	return err
}
