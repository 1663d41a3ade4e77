package webhook

import (
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
)

func TestConnectionsFollowTheMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]int{math.MaxInt64: 4096, 512 << 20: 2048, 64 << 20: 256, 1 << 20: 128, 1 << 40: 4096} {
		if got := connectionsFor(limit); got != want {
			t.Errorf("%d connections under a limit of %d, want %d", got, limit, want)
		}
	}
}

// TestOneAddressCannotTakeAllConnections: what it has too many of is closed, and another address is served.
func TestOneAddressCannotTakeAllConnections(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this machine has one address for itself: ", err)
	}
	_ = other.Close()
	r := run(t, Options{MaxConnections: 20, MetricsBindAddress: "0"})
	dial := func(from string) net.Conn {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
		connection, err := dialer.Dial("tcp", r.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		return connection
	}
	first := dial("127.0.0.2")
	for range 9 {
		dial("127.0.0.2")
	}
	over := dial("127.0.0.2")
	_ = over.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := over.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("one more than half of them is not closed: %v", err)
	}
	if shed := gather(t, r.Server)["claimbridge_http_requests_shed_total{reason=connections}"]; shed != 1 {
		t.Errorf("%v are counted", shed)
	}
	client := r.client(t, false)
	if response, err := send(client, r.url+"/convert", newBody(reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))); err != nil || response.Code != http.StatusOK {
		t.Errorf("another address is not served: %v %v", response, err)
	}
	_ = first.Close()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		again := dial("127.0.0.2")
		_ = again.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		if _, err := again.Read(make([]byte, 1)); err != nil && strings.Contains(err.Error(), "timeout") {
			break // it was not closed
		}
		if time.Now().After(end) {
			t.Fatal("a connection that ended makes no room for another one")
		}
	}
}

// TestHalfAHeaderEnds: before the 30 s of a whole request, and before it is long.
func TestHalfAHeaderEnds(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MetricsBindAddress: "0"})
	for name, test := range map[string]struct{ say, want string }{
		"one that stops":     {"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-A: ", ""},
		"one that is longer": {"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("x", maxHeader+8<<10) + "\r\n\r\n", "431 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection := raw(t, r, test.say)
			_ = connection.SetReadDeadline(time.Now().Add(25 * time.Second)) // more than 10 s, on a busy machine
			answer, err := io.ReadAll(connection)
			if errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(string(answer), test.want) {
				t.Errorf("%v: %q", err, answer)
			}
		})
	}
}

// TestStreamsCountAsConnections: a hundred of them on each connection would be a way around.
func TestStreamsCountAsConnections(t *testing.T) {
	r := run(t, Options{MaxConnections: 20, MetricsBindAddress: "0"})
	client := r.client(t, true)
	hold := make(chan struct{})
	defer close(hold)
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	if response, err := send(client, r.url+"/convert", newBody(body)); err != nil || response.Code != http.StatusOK {
		t.Fatal(response, err)
	}
	taken := func() int {
		r.slots.from.mutex.Lock()
		defer r.slots.from.mutex.Unlock()
		return r.slots.from.count["127.0.0.1"]
	}
	waitFor(t, func() bool { return taken() == 1 })
	for range 9 { // and the connection that they are on: half of what there is
		go func() {
			_, _ = send(client, r.url+"/convert", &slowReader{body: "{}", wait: hold})
		}()
	}
	waitFor(t, func() bool { return taken() == 10 })
	if response, err := send(client, r.url+"/convert", newBody(body)); err != nil || response.Code != http.StatusTooManyRequests || response.Header.Get("Retry-After") == "" {
		t.Errorf("one more stream: %v %v", response, err)
	}
}
