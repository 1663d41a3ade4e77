package webhook

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func refusalCode(err error) int {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return 0
}

// waiting is a caller that waits for long.
func waiting(t *testing.T) caller { return newCaller(t.Context(), callTimeout) }

func TestBudget(t *testing.T) {
	t.Run("a request waits its turn", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(4*minWeight, &atomic.Bool{})
			first, err := b.acquire(waiting(t), 3*minWeight)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				time.Sleep(maxWait / 2)
				first.release()
			}()
			begin := time.Now()
			second, err := b.acquire(waiting(t), 2*minWeight)
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(begin); waited != maxWait/2 {
				t.Errorf("waited %s", waited)
			}
			second.release()
		})
	})
	t.Run("a request that waited long enough comes back later", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(4*minWeight, &atomic.Bool{})
			held, err := b.acquire(waiting(t), 3*minWeight)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			if _, err = b.acquire(waiting(t), 2*minWeight); refusalCode(err) != http.StatusTooManyRequests {
				t.Errorf("got %v", err)
			}
			if waited := time.Since(begin); waited != maxWait {
				t.Errorf("waited %s, want %s", waited, maxWait)
			}
			held.release()
			if b.inUse.Load() != 0 {
				t.Errorf("%d bytes are still held", b.inUse.Load())
			}
		})
	})
	t.Run("a caller that is gone is not waited for", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(minWeight, &atomic.Bool{})
			held, err := b.acquire(waiting(t), 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = b.acquire(newCaller(t.Context(), maxWait/10), 1); refusalCode(err) != http.StatusServiceUnavailable {
				t.Errorf("got %v", err)
			}
			held.release()
		})
	})
	t.Run("nobody waits for a server that stops", func(t *testing.T) {
		draining := &atomic.Bool{}
		b := newBudget(minWeight, draining)
		held, err := b.acquire(waiting(t), 1)
		if err != nil {
			t.Fatal(err)
		}
		draining.Store(true)
		if _, err = b.acquire(waiting(t), 1); refusalCode(err) != http.StatusServiceUnavailable {
			t.Errorf("got %v", err)
		}
		held.release()
		if again, err := b.acquire(waiting(t), 1); err != nil {
			t.Errorf("what fits is served while the server stops, got %v", err)
		} else {
			again.release()
		}
	})
	t.Run("what never fits is told so", func(t *testing.T) {
		b := newBudget(minWeight, &atomic.Bool{})
		if _, err := b.acquire(waiting(t), minWeight+1); refusalCode(err) != http.StatusRequestEntityTooLarge {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a growing request does not wait", func(t *testing.T) {
		b := newBudget(3*minWeight, &atomic.Bool{})
		held, err := b.take(waiting(t), b.bodies[3], minWeight)
		if err != nil {
			t.Fatal(err)
		}
		if err := held.grow(2 * minWeight); err != nil {
			t.Error(err)
		}
		if err := held.grow(1); refusalCode(err) != http.StatusTooManyRequests {
			t.Errorf("got %v", err)
		}
		held.release()
		if b.inUse.Load() != 0 || !b.bodies[3].free.TryAcquire(3*minWeight) {
			t.Error("not all was given back")
		}
	})
}

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
	body := conversionOf("resource.k8s.io/v1alpha3", claimV1alpha2)
	s := newServer(t, Options{MaxInFlightBytes: 2 << 20})
	hold := make(chan struct{})
	server := httptest.NewTLSServer(s.Handler())
	defer server.Close()
	// A slow caller has sent so much, and does not say how much it will be, that nothing is left for big ones.
	const sent = 600 << 10
	var slow sync.WaitGroup
	slow.Go(func() {
		response, err := send(server.Client(), server.URL+"/convert", io.MultiReader(
			newBody(body+strings.Repeat(" ", sent-len(body))), &slowReader{body: strings.Repeat(" ", 100<<10), wait: hold}))
		if err != nil {
			t.Error(err)
			return
		}
		checkFailure(t, convertAnswer(t, response).Response, nil)
	})
	waitFor(t, func() bool { return gather(t, s)["claimbridge_http_request_bytes_in_flight{}"] >= 2<<20 })
	if small, err := send(server.Client(), server.URL+"/convert", newBody(body)); err != nil || small.code != http.StatusOK {
		t.Errorf("a small call is not served beside a big one: %v %v", small, err)
	}
	// A megabyte is more than net/http itself reads of a body that nobody wanted.
	response, err := send(server.Client(), server.URL+"/convert", newBody(body+strings.Repeat(" ", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	if got := response.body; response.code != http.StatusTooManyRequests || response.header.Get("Retry-After") != "1" {
		t.Errorf("%d, Retry-After %q: %s", response.code, response.header.Get("Retry-After"), got)
	}
	if response.close {
		t.Error("the connection is lost, so that coming back needs another handshake")
	}
	close(hold)
	slow.Wait()
	metrics := gather(t, s)
	if metrics["claimbridge_http_requests_shed_total{reason=memory}"] != 1 || metrics["claimbridge_http_request_bytes_in_flight{}"] != 0 {
		t.Errorf("metrics: %v", metrics)
	}
}
