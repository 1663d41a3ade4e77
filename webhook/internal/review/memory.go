package review

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

const (
	// minWork and workFactor are the memory that a request reserves while it is converted or validated: minWork, and
	// workFactor bytes per byte of its body. The most expensive bodies are lists of empty objects, which become structs
	// with many fields: 64 KiB of empty alternatives of v1alpha3 take up to 350 bytes per byte to validate and 140 to
	// convert. Larger lists are rejected early, so that 3 MiB take at most 40 bytes per byte. A claim of 3 KiB takes
	// far less than it reserves, but only while its work runs, for less than a millisecond.
	minWork    = 256 << 10
	workFactor = 400
	// maxWait is the time that a request waits for memory before it is rejected. API servers retry after one second, up
	// to ten times, so an API server waits about 20 of its 30 s.
	maxWait = time.Second
)

// memory limits the memory of all requests in flight. Half of it is for bodies and responses, which a slow client can
// hold for as long as the timeouts allow. The other half is for the work on complete bodies, which no client delays. So
// slow clients cannot use up the memory that a complete request waits for.
type memory struct {
	bodies, work *budget
}

func newMemory(size int64, draining *atomic.Bool) *memory {
	return &memory{bodies: newBudget(size/2, draining), work: newBudget(size-size/2, draining)}
}

func (m *memory) inUse() int64 { return m.bodies.inUse.Load() + m.work.inUse.Load() }

func (m *memory) size() int64 { return m.bodies.size + m.work.size }

// budget is a number of bytes that requests reserve.
type budget struct {
	size     int64
	free     *semaphore.Weighted
	inUse    atomic.Int64
	draining *atomic.Bool
}

func newBudget(size int64, draining *atomic.Bool) *budget {
	size = max(size, 1)
	return &budget{size: size, free: semaphore.NewWeighted(size), draining: draining}
}

// reservation is the number of bytes of a budget that one request has reserved.
type reservation struct {
	*budget
	bytes int64
}

// growTo increases the reservation to a number of bytes, but at most to three quarters of the budget. So two requests
// that reach this limit never run at the same time. Such a request can still start while other requests, whose clients
// may be slow, hold up to a quarter. growTo waits for at most maxWait, and then returns an error for the client.
func (r *reservation) growTo(ctx context.Context, bytes int64) error {
	more := min(bytes, r.size-r.size/4) - r.bytes
	if more <= 0 {
		return nil
	}
	if !r.free.TryAcquire(more) {
		if r.draining.Load() {
			return httperror.ShuttingDown()
		}
		waiting, cancel := context.WithTimeout(ctx, maxWait)
		defer cancel()
		if err := r.free.Acquire(waiting, more); err != nil {
			if ctx.Err() != nil {
				return httperror.DeadlineExceeded()
			}
			return httperror.TooBusy(httperror.ShedMemory, "too many bytes of requests in flight, try again")
		}
	}
	r.inUse.Add(more)
	r.bytes += more
	return nil
}

// memoryForReview returns the memory that a review with this body reserves.
func memoryForReview(body []byte) int64 { return minWork + workFactor*int64(len(body)) }

// release frees the reservation.
func (r *reservation) release() {
	r.inUse.Add(-r.bytes)
	r.free.Release(r.bytes)
	r.bytes = 0
}
