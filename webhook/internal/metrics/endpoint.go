package metrics

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// Around an endpoint: its requests are counted and timed, and panics caught. What has nothing to
// count yet has no series; what has is looked up once.
func (m *Metrics) Around(endpoint string, log logr.Logger, next http.Handler) http.Handler {
	inFlight := m.inFlight.WithLabelValues(endpoint)
	requests := m.requests.MustCurryWith(prometheus.Labels{"endpoint": endpoint})
	duration := sync.OnceValue(func() prometheus.Observer { return m.duration.WithLabelValues(endpoint) })
	ok := sync.OnceValue(func() prometheus.Counter { return requests.WithLabelValues("200") })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		inFlight.Inc()
		seen := &statusWriter{ResponseWriter: w}
		defer func() {
			inFlight.Dec()
			if v := recover(); v != nil {
				m.Panicked(endpoint, log, v)
				if seen.code == 0 {
					refusal.Write(seen, nil)
				}
			}
			if code := cmp.Or(seen.code, http.StatusOK); code == http.StatusOK {
				ok().Inc()
			} else {
				requests.WithLabelValues(strconv.Itoa(code)).Inc()
			}
			duration().Observe(time.Since(begin).Seconds())
		}()
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
	w.code = cmp.Or(w.code, code)
	w.ResponseWriter.WriteHeader(code)
}

// Write without a code before it means 200.
func (w *statusWriter) Write(b []byte) (int, error) {
	w.code = cmp.Or(w.code, http.StatusOK)
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
