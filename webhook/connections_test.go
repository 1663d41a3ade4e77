package webhook

import (
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
)

func TestConnectionsFollowTheMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]int{
		math.MaxInt64: 4096, 512 << 20: 1024, 64 << 20: 128, 1 << 20: 128, 1 << 40: 4096,
	} {
		if got := connectionsFor(limit); got != want {
			t.Errorf("%d connections under a limit of %d, want %d", got, limit, want)
		}
	}
}

// At the limit, another connection is served when one ends.
func TestConnectionsAreLimited(t *testing.T) {
	r := run(t, Options{MaxConnections: 2, MetricsBindAddress: "0"})
	first := raw(t, r, "")
	raw(t, r, "")
	answered := make(chan error, 1)
	client := r.client(t, false)
	go func() {
		response, err := send(client, r.url+"/convert",
			strings.NewReader(reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)))
		if err == nil && response.Code != http.StatusOK {
			err = errors.New(response.Body)
		}
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Errorf("a connection over the limit is served: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	_ = first.Close()
	if err := <-answered; err != nil {
		t.Error("a connection that ended does not make room for another one: ", err)
	}
}

// TestLongHeadersAreRejected checks that a long header is rejected before it is read.
func TestLongHeadersAreRejected(t *testing.T) {
	r := run(t, Options{MetricsBindAddress: "0"})
	connection := raw(t, r,
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-A: "+strings.Repeat("x", maxHeader+8<<10)+"\r\n\r\n")
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	answer, err := io.ReadAll(connection)
	if errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(string(answer), "431 ") {
		t.Errorf("%v: %q", err, answer)
	}
}
