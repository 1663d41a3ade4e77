// Package loglimit bounds the lines of a log that callers cause.
package loglimit

import (
	"sync/atomic"

	"golang.org/x/time/rate"
)

// Anyone who may create a claim can have it denied as often as the API server asks, and each denial is
// a line in the log of at most 3.5 KiB. 20 of them in one go show what a faulty controller is
// doing, and one a second goes on showing it: 300 MB a day at the very worst. A conversion that
// fails has ten causes of a kilobyte, at worst 900 MB a day. Handshakes that fail and panics, which
// any pod may have a way to cause, have their own limits. Metrics count all of them.
const (
	linesASecond = 1
	// AtOnce is how many lines there may be in one go.
	AtOnce = 20
)

// Limit bounds lines that clients cause. Safe for use by many at once.
type Limit struct {
	*rate.Limiter
	omitted atomic.Int64
}

// New limit.
func New() *Limit {
	return &Limit{Limiter: rate.NewLimiter(linesASecond, AtOnce)}
}

// Admit a line, and say how many were omitted since the last one.
func (l *Limit) Admit() (omitted int64, ok bool) {
	if !l.Allow() {
		l.omitted.Add(1)
		return 0, false
	}
	return l.omitted.Swap(0), true
}
