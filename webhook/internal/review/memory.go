package review

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// perByte of an object is what some copies of its text take while it is read, converted or judged, answer included.
	perByte = 16
	// perItem is what an item of a list takes beside it: "{}," is built as a struct in two
	// versions, and has errors of its own in a verdict. Each item but one has a comma; that texts
	// have some too costs a wait at most.
	perItem = 1 << 10
	// minWeight is what a request takes whose objects are small, its buffers included.
	minWeight = 64 << 10
	// maxWait for memory before a request is turned away. It comes back after one more second, up
	// to ten times, so that an API server is patient for about 20 of its 30 s.
	maxWait = time.Second
)

// memory that all requests may take together.
type memory struct {
	size     int64
	free     *semaphore.Weighted
	inUse    atomic.Int64
	draining *atomic.Bool
}

func newMemory(size int64, draining *atomic.Bool) *memory {
	size = max(size, minWeight)
	return &memory{size: size, free: semaphore.NewWeighted(size), draining: draining}
}

// hold memory for so many bytes and items of an object. What is heavier than all there is works
// alone. Who has to wait gives back first what it holds, so that waiting cannot deadlock.
func (c *call) hold(bytes, items int64) error {
	m := c.memory
	weight := min(max(perByte*bytes+perItem*items, minWeight), m.size)
	if weight <= c.held {
		return nil
	}
	if m.free.TryAcquire(weight - c.held) {
		m.inUse.Add(weight - c.held)
		c.held = weight
		return nil
	}
	c.release()
	if m.draining.Load() {
		return refusal.Draining()
	}
	asking, end := c.context()
	defer end()
	waiting, cancel := context.WithTimeout(asking, maxWait)
	defer cancel()
	if err := m.free.Acquire(waiting, weight); err != nil {
		if asking.Err() != nil {
			return refusal.TooLate()
		}
		return refusal.TooBusy(refusal.ShedMemory, "too many bytes of requests in flight, try again")
	}
	m.inUse.Add(weight)
	c.held = weight
	return nil
}

// release all of it.
func (c *call) release() {
	c.memory.inUse.Add(-c.held)
	c.memory.free.Release(c.held)
	c.held = 0
}
