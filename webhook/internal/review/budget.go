package review

import (
	"context"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// maxWait in the queue before a request is turned away. It comes back after one more second, up to ten times, so
	// that an API server is patient for about 20 of its 30 s; a longer wait would only hold connections.
	maxWait = time.Second
	// bigRequest leaves behind it several times its size of memory that Go would keep for two minutes and more. When
	// none has come for quietAfter, it is given back.
	bigRequest = 4 << 20
	quietAfter = time.Second
)

// budget is the memory that requests may have at once, in lanes. Who waits holds at most a part of a smaller lane, so
// nobody waits for somebody who waits for him; in each lane requests queue in the order they came, so that a big one is not
// starved by small ones.
type budget struct {
	// size in bytes of the biggest body, and of all bodies that are big.
	size int64
	// bodies by their size, the smallest first: each lane is for bodies up to its most, and big ones cannot take what is
	// kept for small ones. A big body goes from lane to lane as it arrives.
	bodies []*lane
	// work is for what is built from objects, answers for what is made of them beside the bodies.
	work, answers *lane

	inUse    atomic.Int64
	draining *atomic.Bool
	// tidy gives memory back to the system when big requests are over.
	tidy *time.Timer
}

// lane is a part of the budget.
type lane struct {
	most, size int64
	free       *semaphore.Weighted
}

func newLane(most, size int64) *lane {
	size = max(size, MinWeight)
	return &lane{min(most, size), size, semaphore.NewWeighted(size)}
}

func newBudget(size int64, draining *atomic.Bool) *budget {
	tidy := time.AfterFunc(time.Hour, debug.FreeOSMemory)
	tidy.Stop()
	return &budget{
		size: size, draining: draining, tidy: tidy,
		bodies: []*lane{
			newLane(MinWeight, size/8), // 512 calls with a claim of some kilobytes, under the manifests' limit
			newLane(256<<10, size/8),
			newLane(4<<20, size/4),
			newLane(size, size),
		},
		work:    newLane(workFor(size), workFor(size)),
		answers: newLane(size, size),
	}
}

// total of all lanes.
func (b *budget) total() int64 {
	sum := b.work.size + b.answers.size
	for _, l := range b.bodies {
		sum += l.size
	}
	return sum
}

// laneOf a body.
func (b *budget) laneOf(size int64) *lane {
	for _, l := range b.bodies {
		if size <= l.most {
			return l
		}
	}
	return nil
}

// lease is one request's part of the budget.
type lease struct {
	from *budget
	lane *lane
	size int64
}

// acquire waits for memory for a body, no longer than the caller for its answer.
func (b *budget) acquire(c caller, size int64) (lease, error) {
	size = max(size, MinWeight)
	l := b.laneOf(size)
	if l == nil {
		return lease{}, refusal.New(http.StatusRequestEntityTooLarge,
			"the request has %d bytes, more than the %d that this server may hold in memory: send fewer objects at a time, or raise GOMEMLIMIT", size, b.size)
	}
	return b.take(c, l, size)
}

func (b *budget) take(c caller, l *lane, size int64) (lease, error) {
	if !l.free.TryAcquire(size) {
		if b.draining.Load() {
			return lease{}, &refusal.Error{Code: http.StatusServiceUnavailable, Text: "the server is stopping", Retry: true, Shed: refusal.ShedDraining}
		}
		asking, end := c.context()
		defer end()
		waiting, cancel := context.WithTimeout(asking, maxWait)
		defer cancel()
		if err := l.free.Acquire(waiting, size); err != nil {
			if asking.Err() != nil {
				return lease{}, tooLate()
			}
			return lease{}, tooMuch()
		}
	}
	b.inUse.Add(size)
	return lease{b, l, size}, nil
}

// move to what a body needs that has grown.
func (l *lease) move(c caller, from *budget, size int64) error {
	next, err := from.acquire(c, size)
	if err != nil {
		return err
	}
	l.release()
	*l = next
	return nil
}

// grow takes more of an own lane without waiting: two requests that wait for each other's part would wait for ever.
func (l *lease) grow(more int64) error {
	if !l.lane.free.TryAcquire(more) {
		return tooMuch()
	}
	l.from.inUse.Add(more)
	l.size += more
	return nil
}

// release gives it back; what holds nothing may be released as well.
func (l *lease) release() {
	if l.size == 0 {
		return
	}
	if l.size >= bigRequest {
		l.from.tidy.Reset(quietAfter)
	}
	l.from.inUse.Add(-l.size)
	l.lane.free.Release(l.size)
	l.size = 0
}

func tooMuch() *refusal.Error {
	return &refusal.Error{Code: http.StatusTooManyRequests, Text: "too many bytes of requests in flight, try again", Retry: true, Shed: refusal.ShedMemory}
}

// tooManyExpressions is for writes whose expressions the compiler does not know, while many wait for it.
func tooManyExpressions() *refusal.Error {
	return &refusal.Error{Code: http.StatusTooManyRequests, Text: validation.ErrBusy.Error(), Retry: true, Shed: refusal.ShedExpressions}
}

// tooLate is for callers that have stopped waiting; a proxy may still be there to read it.
func tooLate() *refusal.Error {
	return &refusal.Error{Code: http.StatusServiceUnavailable, Text: "the time that the caller gave is over", Retry: true, Shed: refusal.ShedDeadline}
}
