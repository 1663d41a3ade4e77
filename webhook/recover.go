package webhook

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/internal/plainlog"
)

// guard stands around every endpoint: it counts and times requests, catches panics, and while the server stops asks
// callers to connect anew.
func (s *Server) guard(endpoint string, next http.Handler) http.Handler {
	measured := s.metrics.endpoint(endpoint)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		measured.inFlight.Inc()
		seen := &statusWriter{ResponseWriter: w}
		defer func() {
			measured.inFlight.Dec()
			if v := recover(); v != nil {
				s.metrics.panicked(endpoint, s.log, v)
				if seen.code == 0 {
					writeError(seen, nil)
				}
			}
			measured.answered(seen.status(), begin)
		}()
		if s.draining.Load() {
			// API servers keep connections for as long as they are let; with this one the next call goes elsewhere.
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(seen, r)
	})
}

// panicked counts a panic and logs it with its stack. Of the value only what the runtime says itself is logged: any
// other text might quote what a caller sent.
func (m *metrics) panicked(endpoint string, log logr.Logger, value any) {
	m.panics.WithLabelValues(endpoint).Inc()
	omitted, ok := m.stacks.admit()
	if !ok {
		return
	}
	what := fmt.Sprintf("%T", value)
	if err, ok := value.(runtime.Error); ok {
		what = err.Error()
	}
	log.Error(nil, "Caught a panic", "endpoint", endpoint, "panic", what, "stack", plainlog.Lines(debug.Stack()), "omitted", omitted)
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
