package webhook

import "net/http"

// enter tells whether a request may be read. A stream of HTTP/2 counts as a connection: there are up to a hundred on each, and
// each has a goroutine and buffers. HTTP/1 has one request for each connection. An API server speaks HTTP/2 only to localhost.
func (s *slots) enter(r *http.Request) (leave func(), err error) {
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
