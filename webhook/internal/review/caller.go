package review

import (
	"context"
	"time"
)

// caller waits for an answer until a time, and may be gone before. Both are looked at, not waited for: a timer
// (context.WithTimeout) costs a small review half a microsecond of two, and four allocations. Whoever has to wait makes one.
type caller struct {
	connection   context.Context //nolint:containedctx // of the request, which the caller belongs to
	begun, until time.Time
}

func newCaller(ctx context.Context, timeout time.Duration) caller {
	now := time.Now()
	return caller{ctx, now, now.Add(timeout)}
}

// waits reports whether anybody would read the answer.
func (c caller) waits() bool { return c.connection.Err() == nil && time.Now().Before(c.until) }

// context ends when the caller does not wait any more.
func (c caller) context() (context.Context, context.CancelFunc) {
	return context.WithDeadline(c.connection, c.until)
}
