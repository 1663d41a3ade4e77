// Package loglimit limits the log lines that clients cause.
package loglimit

import (
	"sync/atomic"

	"golang.org/x/time/rate"
)

// A user who can create claims can cause any number of denials, and each denial is a log line of at most 3.5 KiB. 20
// lines at once and one per second are enough to show the problem of a controller: at most 300 MB a day. A failed
// conversion lists ten causes of a kilobyte: at most 900 MB a day. Failed handshakes and panics, which any pod may be
// able to cause, have their own limits. Metrics count all of them.
const (
	linesPerSecond = 1
	// Burst is the number of lines that are logged without a pause.
	Burst = 20
)

// Limiter limits log lines. It is safe for concurrent use.
type Limiter struct {
	*rate.Limiter
	omitted atomic.Int64
}

// New returns a limiter.
func New() *Limiter {
	return &Limiter{Limiter: rate.NewLimiter(linesPerSecond, Burst)}
}

// AllowLine reports whether a line may be logged, and how many lines were omitted since the last one.
func (l *Limiter) AllowLine() (omitted int64, ok bool) {
	if !l.Allow() {
		l.omitted.Add(1)
		return 0, false
	}
	return l.omitted.Swap(0), true
}
