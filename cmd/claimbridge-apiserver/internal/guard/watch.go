package guard

import (
	"context"
	"time"
)

// firstLook comes when servers that start together are serving.
const firstLook = 30 * time.Second

// Watch the cluster until ctx is done: look soon, and then once in an interval, and tell what has been found each time, nothing included. What
// cannot be asked is told as an error.
func (g *Guard) Watch(ctx context.Context, interval time.Duration, tell func([]Finding, error)) {
	timer := time.NewTimer(min(firstLook, interval))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		found, err := g.Look(ctx)
		timer.Reset(interval)
		if ctx.Err() != nil {
			return
		}
		tell(found, err)
	}
}
