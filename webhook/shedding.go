package webhook

import (
	"context"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// minWeight is what the smallest request counts for: a goroutine, its TLS connection and the HTTP buffers.
	minWeight = 16 << 10
	// maxWait in the queue before a request is turned away. It comes back after one more second, up to ten times, so
	// that an API server is patient for about 20 of its 30 s; a longer wait would only hold connections.
	maxWait = time.Second
	// bigRequest leaves behind it several times its size of memory that Go would keep for two minutes and more. When
	// none has come for quietAfter, it is given back.
	bigRequest = 4 << 20
	quietAfter = time.Second
)

// budget is the number of bytes of request bodies that may be in memory at once. Requests queue for it in the order
// they came, so that a big one is not starved by small ones.
type budget struct {
	size     int64
	free     *semaphore.Weighted
	inUse    atomic.Int64
	draining *atomic.Bool
	// tidy gives memory back to the system when big requests are over.
	tidy *time.Timer
}

func newBudget(size int64, draining *atomic.Bool) *budget {
	tidy := time.AfterFunc(time.Hour, debug.FreeOSMemory)
	tidy.Stop()
	return &budget{size: size, free: semaphore.NewWeighted(size), draining: draining, tidy: tidy}
}

// lease is one request's part of the budget.
type lease struct {
	from *budget
	size int64
}

// acquire waits for a part of the budget. ctx ends when the caller stops waiting for its answer.
func (b *budget) acquire(ctx context.Context, size int64) (lease, error) {
	size = max(size, minWeight)
	if size > b.size {
		return lease{}, refuse(http.StatusRequestEntityTooLarge,
			"the request has %d bytes, more than the %d that this server may hold in memory: send fewer objects at a time, or raise GOMEMLIMIT", size, b.size)
	}
	if !b.free.TryAcquire(size) {
		if b.draining.Load() {
			return lease{}, &refusal{code: http.StatusServiceUnavailable, text: "the server is stopping", retry: true, shed: shedDraining}
		}
		end, late := time.Now().Add(maxWait), false
		if until, ok := ctx.Deadline(); ok && until.Before(end) {
			end, late = until, true
		}
		waiting, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		if err := b.free.Acquire(waiting, size); err != nil {
			if late || ctx.Err() != nil {
				return lease{}, tooLate()
			}
			return lease{}, tooMuch()
		}
	}
	b.inUse.Add(size)
	return lease{b, size}, nil
}

// grow takes more without waiting: two requests that wait for each other's part would wait for ever.
func (l *lease) grow(more int64) error {
	if !l.from.free.TryAcquire(more) {
		return tooMuch()
	}
	l.from.inUse.Add(more)
	l.size += more
	return nil
}

func (l *lease) release() {
	if l.size >= bigRequest {
		l.from.tidy.Reset(quietAfter)
	}
	l.from.inUse.Add(-l.size)
	l.from.free.Release(l.size)
	l.size = 0
}

// Reasons for shedding, labels of a metric.
const (
	shedMemory   = "memory"
	shedDraining = "draining"
	shedDeadline = "deadline"
)

func tooMuch() *refusal {
	return &refusal{
		code: http.StatusTooManyRequests, text: "too many bytes of requests in flight, try again", retry: true, shed: shedMemory,
	}
}

// tooLate is for callers that have stopped waiting; a proxy may still be there to read it.
func tooLate() *refusal {
	return &refusal{
		code: http.StatusServiceUnavailable, text: "the time that the caller gave is over", retry: true, shed: shedDeadline,
	}
}
