package authority

import (
	"net/http"
	"sync/atomic"
	"time"
)

// clockTolerance: the Date of an answer has whole seconds and is a request old. Less than this is no difference.
const clockTolerance = 5 * time.Second

// serverClock is this machine's clock, put right by what the API server says. The machine's clock
// may step; certificates have to be good by the clock of who verifies them.
type serverClock struct {
	ahead atomic.Int64 // of this machine's clock, in nanoseconds
}

// Now as the API server sees it.
func (c *serverClock) Now() time.Time {
	return time.Now().Round(0).Add(time.Duration(c.ahead.Load())) // without the monotonic clock, which does not step
}

// Since a moment of this clock.
func (c *serverClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// listener to what the API server says.
type listener struct {
	http.RoundTripper
	*serverClock
}

// RoundTrip implements [http.RoundTripper].
func (l listener) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return response, err
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		ahead := date.Add(time.Second / 2).Sub(time.Now().Round(0))
		if ahead.Abs() < clockTolerance {
			ahead = 0
		}
		l.ahead.Store(int64(ahead))
	}
	return response, nil
}

// WrappedRoundTripper lets client-go cancel requests, about which it else complains.
func (l listener) WrappedRoundTripper() http.RoundTripper { return l.RoundTripper }
