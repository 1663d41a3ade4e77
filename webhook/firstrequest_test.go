package webhook

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/internal/review"
)

// call sends a request on the connection in three parts, the header and two halves of the body, with pauses between
// them, and returns the response.
func call(t *testing.T, connection net.Conn, between time.Duration) *http.Response {
	t.Helper()
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	for _, part := range []string{announcing(len(body)), body[:len(body)/2], body[len(body)/2:]} {
		must.Get(io.WriteString(connection, part))(t)
		time.Sleep(between)
	}
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal("the call is lost: ", err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// TestUnusedConnectionsAreKept checks that an unused connection is kept longer than a request may take, because API
// servers keep unused connections.
func TestUnusedConnectionsAreKept(t *testing.T) {
	t.Parallel()
	connection := raw(t, run(t, Options{MetricsBindAddress: "0"}), "")
	time.Sleep(review.CallTimeout + time.Second)
	// This body has no other deadline. The connection must stay open for another call.
	for _, part := range []string{"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n", "{}"} {
		must.Get(io.WriteString(connection, part))(t)
		time.Sleep(300 * time.Millisecond)
	}
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	if answer, err := http.ReadResponse(bufio.NewReader(connection), nil); err != nil || answer.Close {
		t.Fatal("the connection ends: ", answer, err)
	}
	if answer := call(t, connection, 0); answer.StatusCode != http.StatusOK {
		t.Errorf("answered %s", answer.Status)
	}
}

// TestARequestThatComesWithTheHandshake checks that the request is served.
func TestARequestThatComesWithTheHandshake(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MetricsBindAddress: "0"})
	if answer := call(t, withTheHandshake(t, r), 300*time.Millisecond); answer.StatusCode != http.StatusOK {
		t.Errorf("answered %s", answer.Status)
	}
}

// withTheHandshake returns a connection whose first data is sent together with the end of the handshake.
func withTheHandshake(t *testing.T, r *running) net.Conn {
	t.Helper()
	plain := must.Get(net.Dial("tcp", r.Addr().String()))(t)
	held := &holding{Conn: plain}
	connection := tls.Client(held, &tls.Config{RootCAs: r.pool, ServerName: "localhost", MinVersion: tls.VersionTLS13})
	t.Cleanup(func() { _ = connection.Close() })
	must.Do(t, connection.Handshake())
	if held.kept.Len() == 0 {
		t.Fatal("nothing of the handshake is kept back")
	}
	held.sends = true
	return connection
}

// holding sends the first write, the client's hello, and holds back the rest until it is released.
type holding struct {
	net.Conn
	begun, sends bool
	kept         bytes.Buffer
}

func (h *holding) Write(b []byte) (int, error) {
	if !h.begun {
		h.begun = true
		return h.Conn.Write(b)
	}
	h.kept.Write(b)
	if h.sends {
		if _, err := h.kept.WriteTo(h.Conn); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// While the server stops, a call on an idle connection is served, and then closes the connection. Then the server does
// not wait any longer.
func TestClientsCloseIdleConnections(t *testing.T) {
	r := run(t, Options{ShutdownIdleTimeout: time.Hour, MetricsBindAddress: "0"})
	used, never := raw(t, r, ""), raw(t, r, "")
	if answer := call(t, used, 0); answer.StatusCode != http.StatusOK || answer.Close {
		t.Fatalf("answered %s, and closes: %v", answer.Status, answer.Close)
	}
	r.stop()
	await.True(t, "it stops", r.draining.Load)
	time.Sleep(10 * connectionPollInterval)
	for what, connection := range map[string]net.Conn{"that was used": used, "that was never used": never} {
		if answer := call(t, connection, 0); answer.StatusCode != http.StatusOK || !answer.Close {
			t.Errorf("one %s: answered %s, and closes: %v", what, answer.Status, answer.Close)
		}
	}
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

// TestIdleConnectionsAreNotWaitedForLonger checks that the server waits at most for the configured time, and not at all
// by default.
func TestIdleConnectionsAreNotWaitedForLonger(t *testing.T) {
	for name, idle := range map[string]time.Duration{"for a moment": 200 * time.Millisecond, "not at all": 0} {
		t.Run(name, func(t *testing.T) {
			r := run(t, Options{ShutdownIdleTimeout: idle, MetricsBindAddress: "0"})
			connection := raw(t, r, "")
			if answer := call(t, connection, 0); answer.StatusCode != http.StatusOK {
				t.Fatal(answer.Status)
			}
			r.stop()
			if err := r.wait(t); err != nil {
				t.Error(err)
			}
			rest, err := io.ReadAll(connection)
			if errors.Is(err, os.ErrDeadlineExceeded) || strings.Contains(string(rest), "HTTP/") {
				t.Errorf("the connection is there: %q %v", rest, err)
			}
		})
	}
}
