// Package guard stands around every endpoint of a server.
package guard

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// Guard stands around every endpoint: it counts and times requests, catches panics, and while the server stops asks
// callers to connect anew.
type Guard struct {
	Metrics  *metrics.Metrics
	Logger   logr.Logger
	Draining *atomic.Bool
}

// Around an endpoint.
func (g *Guard) Around(endpoint string, next http.Handler) http.Handler {
	measured := g.Metrics.Endpoint(endpoint)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		measured.InFlight.Inc()
		seen := &statusWriter{ResponseWriter: w}
		defer func() {
			measured.InFlight.Dec()
			if v := recover(); v != nil {
				g.Metrics.Panicked(endpoint, g.Logger, v)
				if seen.code == 0 {
					refusal.Write(seen, nil)
				}
			}
			measured.Answered(seen.status(), begin)
		}()
		if g.Draining.Load() {
			// API servers keep connections for as long as they are let; with this one the next call goes elsewhere.
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(seen, r)
	})
}

// statusWriter remembers the status code.
type statusWriter struct {
	http.ResponseWriter
	code int
}

// WriteHeader remembers the first code, which is the one that is sent.
func (w *statusWriter) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write without a code before it means 200.
func (w *statusWriter) Write(b []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}
