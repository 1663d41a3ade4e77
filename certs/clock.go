package certs

import (
	"net/http"
	"sync/atomic"
	"time"
)

// clockTolerance is the difference between the clocks that is ignored: a Date header has whole seconds, and is as old
// as the request took.
const clockTolerance = 5 * time.Second

// serverClock is this machine's clock, corrected by the Date header of the API server's responses. The machine's clock
// may be wrong or may step, and the API server verifies certificates by its own clock.
type serverClock struct {
	ahead atomic.Int64 // nanoseconds that the API server's clock is ahead of this machine's
}

// Now returns the time of the API server.
func (c *serverClock) Now() time.Time {
	return time.Now().Round(0).Add(time.Duration(c.ahead.Load())) // without the monotonic clock, which does not step
}

// Since returns the time that has passed since t, a time of this clock.
func (c *serverClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// dateReader corrects a clock by the Date header of each response.
type dateReader struct {
	http.RoundTripper
	*serverClock
}

// RoundTrip implements [http.RoundTripper].
func (d dateReader) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := d.RoundTripper.RoundTrip(r)
	if err != nil {
		return response, err
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		ahead := date.Add(time.Second / 2).Sub(time.Now().Round(0))
		if ahead.Abs() < clockTolerance {
			ahead = 0
		}
		d.ahead.Store(int64(ahead))
	}
	return response, nil
}

// WrappedRoundTripper lets client-go find the transport that can cancel requests.
func (d dateReader) WrappedRoundTripper() http.RoundTripper { return d.RoundTripper }
