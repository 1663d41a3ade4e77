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
)

func TestBytesInFlightFollowTheMemoryLimit(t *testing.T) {
	tests := map[string]struct{ limit, body, want int64 }{
		"no limit":          {math.MaxInt64, defaultMaxBody, 128 << 20},
		"a limit of 64 MiB": {64 << 20, defaultMaxBody, 8 << 20},
		"a limit of 1 GiB":  {1 << 30, defaultMaxBody, 128 << 20},
		"a tiny limit":      {1 << 20, defaultMaxBody, minInFlight},
		"tiny bodies":       {math.MaxInt64, 1024, minInFlight},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := inFlightFor(test.limit, test.body); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// TestUnderPressureRequestsAreServedOrShed sends more at once than fits: every one is answered or told to come back,
// and all that were held are free again.
func TestUnderPressureRequestsAreServedOrShed(t *testing.T) {
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	s := newServer(t, Options{MaxInFlightBytes: 16 << 20})
	hold := make(chan struct{})
	server := httptest.NewTLSServer(s.Handler())
	defer server.Close()
	// A slow caller has sent so much, and does not say how much it will be, that nothing is left for big ones.
	const sent = 4<<20 + 100<<10
	var slow sync.WaitGroup
	slow.Go(func() {
		response, err := send(server.Client(), server.URL+"/convert", io.MultiReader(
			newBody(body+strings.Repeat(" ", sent-len(body))), &slowReader{body: strings.Repeat(" ", 100<<10), wait: hold}))
		if err != nil {
			t.Error(err)
			return
		}
		reviews.Succeeded(t, response)
	})
	waitFor(t, func() bool { return gather(t, s)["claimbridge_http_request_bytes_in_flight{}"] >= 16<<20 })
	if small, err := send(server.Client(), server.URL+"/convert", newBody(body)); err != nil || small.Code != http.StatusOK {
		t.Errorf("a small call is not served beside a big one: %v %v", small, err)
	}
	// This is more than net/http itself reads of a body that nobody wanted.
	response, err := send(server.Client(), server.URL+"/convert", newBody(body+strings.Repeat(" ", 5<<20)))
	if err != nil {
		t.Fatal(err)
	}
	if got := response.Body; response.Code != http.StatusTooManyRequests || response.Header.Get("Retry-After") != "1" {
		t.Errorf("%d, Retry-After %q: %s", response.Code, response.Header.Get("Retry-After"), got)
	}
	if response.Close {
		t.Error("the connection is lost, so that coming back needs another handshake")
	}
	close(hold)
	slow.Wait()
	metrics := gather(t, s)
	if metrics["claimbridge_http_requests_shed_total{reason=memory}"] != 1 || metrics["claimbridge_http_request_bytes_in_flight{}"] != 0 {
		t.Errorf("metrics: %v", metrics)
	}
}
