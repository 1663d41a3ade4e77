package webhook

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestBytesInFlightFollowTheMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]int64{
		math.MaxInt64: 512 << 20, 64 << 20: minInFlight, 512 << 20: 128 << 20, 1 << 20: minInFlight,
	} {
		if got := inFlightFor(limit); got != want {
			t.Errorf("%d bytes under a limit of %d, want %d", got, limit, want)
		}
	}
}

// TestOverloadServesOrShedsRequests sends more requests at once than the memory allows. Requests that wait too long get
// 429, and after all requests the memory is free again.
func TestOverloadServesOrShedsRequests(t *testing.T) {
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	s := newServer(t, Options{MaxInFlightBytes: 16 << 20})
	server := httptest.NewTLSServer(s.Handler())
	defer server.Close()
	// Two slow clients have sent so much of a body that no memory for bodies is left. One cannot take all of it.
	hold := make(chan struct{})
	var slow sync.WaitGroup
	for _, bytes := range []int{7 << 20, 3 << 19} {
		slow.Go(func() {
			text := strings.TrimSuffix(body, "]}}")
			response, err := send(server.Client(), server.URL+"/convert", io.MultiReader(
				strings.NewReader(text+strings.Repeat(" ", bytes)), slowly("]}}", hold)))
			if err != nil {
				t.Error(err)
				return
			}
			reviews.CheckConverted(t, response)
		})
	}
	await.True(t, "nothing is left", func() bool {
		return gather(t, s)["claimbridge_http_request_bytes_in_flight{}"] == 8<<20
	})
	response := must.Get(send(server.Client(), server.URL+"/convert", strings.NewReader(body)))(t)
	if response.Code != http.StatusTooManyRequests || response.Header.Get("Retry-After") != "1" {
		t.Errorf("%d, Retry-After %q: %s", response.Code, response.Header.Get("Retry-After"), response.Body)
	}
	if response.Close {
		t.Error("the connection is lost, so that coming back needs another handshake")
	}
	close(hold)
	slow.Wait()
	metrics := gather(t, s)
	if metrics["claimbridge_http_requests_shed_total{reason=memory}"] != 1 ||
		metrics["claimbridge_http_request_bytes_in_flight{}"] != 0 {
		t.Errorf("metrics: %v", metrics)
	}
}
