package review

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// The bodies that take the most memory per byte take no more than the work on them reserves. GOGC is low, so that
// little of the measured heap is garbage.
func TestWorkReservesWhatItTakes(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	const garbage = 3 << 20 // what the collector leaves of a heap of this size
	sizes := []int{16 << 10, 64 << 10, 1 << 20}
	if testing.Short() {
		sizes = sizes[:1]
	}
	list := func(item string, bytes int) string {
		return "[" + strings.Repeat(item+",", bytes/(len(item)+1)) + item + "]"
	}
	alternatives := `{"firstAvailable":` + list("{}", 1200) + `}`
	names := `{"requests":` + list(`"r"`, 2800) + `}`
	for _, size := range sizes {
		for name, spec := range map[string]string{
			"empty alternatives": `{"devices":{"requests":` + list(alternatives, size) + `}}`,
			"requests of config": `{"devices":{"config":` + list(names, size) + `}}`,
			"empty requests":     `{"devices":{"requests":` + list("{}", size) + `}}`,
			"empty constraints":  `{"devices":{"constraints":` + list("{}", size) + `}}`,
			"unknown fields":     `{"unknown":` + list(`{"a":{}}`, size) + `}`,
		} {
			object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a",` +
				`"namespace":"b"},"spec":` + spec + `}`
			for path, body := range map[string]string{
				"/convert":  reviews.Conversion("resource.k8s.io/v1", object),
				"/validate": reviews.AdmissionIn("v1alpha3", "CREATE", "", object, "null"),
				"/default":  reviews.AdmissionIn("v1alpha3", "CREATE", "", object, "null"),
			} {
				s := newServer(t, Options{})
				limit := memoryForReview([]byte(body)) + garbage
				work := func() { serve(s, reviews.NewRequest(path, body)) }
				peak := peakHeap(work)
				for retries := 0; peak > limit && retries < 10; retries++ { // a busy machine delays the collector
					peak = min(peak, peakHeap(work))
				}
				if peak > limit {
					t.Errorf("%s: %s: %d bytes take %d bytes, more than %d", path, name, len(body), peak, limit)
				}
			}
		}
	}
}

// peakHeap returns how much the heap grows while a function runs, at most.
func peakHeap(run func()) int64 {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := make(chan int64)
	done := make(chan struct{})
	go func() {
		var now runtime.MemStats
		most := before.HeapAlloc
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
			select {
			case <-done:
				peak <- int64(most - before.HeapAlloc)
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	run()
	close(done)
	return <-peak
}

// Each budget is exhausted on its own: a request that waits for the memory for its work does not need memory that a
// slow client holds.
func TestBodiesDoNotUseTheMemoryForWork(t *testing.T) {
	m := newMemory(1<<20, &atomic.Bool{})
	bodies := &reservation{budget: m.bodies}
	must.Do(t, bodies.growTo(t.Context(), 1<<20))
	if bodies.bytes != 3<<17 {
		t.Errorf("%d bytes are reserved, want three quarters of a half", bodies.bytes)
	}
	work := &reservation{budget: m.work}
	must.Do(t, work.growTo(t.Context(), 1<<19))
	if got := m.inUse(); got != 3<<18 {
		t.Errorf("%d bytes in use", got)
	}
	bodies.release()
	work.release()
	if got := m.inUse(); got != 0 {
		t.Errorf("%d bytes in use", got)
	}
}

func TestGrowWaitsForMemory(t *testing.T) {
	tests := map[string]struct {
		released time.Duration // by the other request
		deadline time.Duration
		draining bool
		shed     string // the reason of the error
	}{
		"released in time":        {released: maxWait / 2, deadline: time.Minute},
		"released too late":       {released: 2 * maxWait, deadline: time.Minute, shed: httperror.ShedMemory},
		"the deadline is earlier": {released: maxWait / 2, deadline: maxWait / 4, shed: httperror.ShedDeadline},
		"the server is shutting down": {
			released: maxWait / 2, deadline: time.Minute, draining: true, shed: httperror.ShedDraining,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				draining := &atomic.Bool{}
				draining.Store(test.draining)
				b := newBudget(100, draining)
				other := &reservation{budget: b}
				must.Do(t, other.growTo(t.Context(), 60))
				time.AfterFunc(test.released, other.release)
				ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				r := &reservation{budget: b}
				err := r.growTo(ctx, 1000)
				shed := ""
				if rejected, ok := errors.AsType[*httperror.Error](err); ok {
					shed = rejected.Shed
				}
				if shed != test.shed || (err == nil) != (test.shed == "") || (err == nil) != (r.bytes == 75) {
					t.Errorf("got %v, reserved %d", err, r.bytes)
				}
				time.Sleep(3 * maxWait)
				r.release()
			})
		})
	}
}

// A client that announces a body without sending it reserves one buffer at most.
func TestAnnouncedBodyReservesOneBuffer(t *testing.T) {
	h := &handler{Options: Options{MaxRequestBytes: 32 << 20}}
	bodyMemory := &reservation{budget: newBudget(1<<30, &atomic.Bool{})}
	request := reviews.NewRequest("/convert", "{")
	request.ContentLength = 30 << 20
	if _, err := h.readBody(t.Context(), http.ResponseWriter(nil), request, bodyMemory); err == nil {
		t.Error("a body that ends early is complete")
	}
	if bodyMemory.bytes != readSize {
		t.Errorf("%d bytes are reserved", bodyMemory.bytes)
	}
}
