package webhook

import (
	"net/http"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// streams lets requests through for which there is a slot. A stream of HTTP/2 counts as a connection: there are up to a hundred
// on each, and each has a goroutine and buffers. HTTP/1 has one request for each connection. An API server speaks HTTP/2 only
// to localhost.
func (s *Server) streams(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 2 {
			next.ServeHTTP(w, r)
			return
		}
		source := sourceOf(r.RemoteAddr)
		if !s.slots.take(source) { // the body is not read: that would keep a stream that was turned away
			s.metrics.Shed(refusal.ShedConnections)
			refusal.Write(w, &refusal.Error{
				Code: http.StatusTooManyRequests, Text: "too many requests at once, try again", Retry: true, Shed: refusal.ShedConnections,
			})
			return
		}
		defer s.slots.give(source)
		next.ServeHTTP(w, r)
	})
}
