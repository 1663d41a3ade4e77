package metrics

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// Timer adds up how long one request waits for the store.
type Timer struct{ waited atomic.Int64 }

type timerKey struct{}

// WithTimer gives a context whose requests to the store are timed.
func WithTimer(parent context.Context) (context.Context, *Timer) {
	t := new(Timer)
	return context.WithValue(parent, timerKey{}, t), t
}

// TimerOf a context; nil when it has none.
func TimerOf(ctx context.Context) *Timer {
	t, _ := ctx.Value(timerKey{}).(*Timer)
	return t
}

// Since adds the time from then to now.
func (t *Timer) Since(then time.Time) {
	if t != nil {
		t.waited.Add(int64(time.Since(then)))
	}
}

// Waited so far.
func (t *Timer) Waited() time.Duration { return time.Duration(t.waited.Load()) }

// Body whose reads are timed.
func (t *Timer) Body(body io.ReadCloser) io.ReadCloser {
	if t == nil {
		return body
	}
	return &timedBody{body, t}
}

type timedBody struct {
	io.ReadCloser
	timer *Timer
}

func (b *timedBody) Read(p []byte) (int, error) {
	defer b.timer.Since(time.Now())
	return b.ReadCloser.Read(p)
}
