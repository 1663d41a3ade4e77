package webhook

import "net/http"

// streams of HTTP/2 count as connections do: there are up to a hundred on each, and each has a goroutine and buffers. An API
// server speaks HTTP/2 only to localhost.
type streams struct {
	all  chan struct{}
	from *sources
}

func newStreams(most int) *streams { return &streams{make(chan struct{}, most), newSources(most / 2)} }

// enter tells whether a request may be read; HTTP/1 has one for each connection, and those are bounded.
func (s *streams) enter(r *http.Request) (leave func(), err error) {
	if r.ProtoMajor < 2 {
		return func() {}, nil
	}
	source := sourceOf(r.RemoteAddr)
	if !s.from.enter(source) {
		return nil, tooMany()
	}
	select {
	case s.all <- struct{}{}:
		return func() { <-s.all; s.from.leave(source) }, nil
	default:
		s.from.leave(source)
		return nil, tooMany()
	}
}

func tooMany() *refusal {
	return &refusal{code: http.StatusTooManyRequests, text: "too many requests at once, try again", retry: true, shed: shedConnections}
}
