package metrics

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

// Instrument returns a handler that counts the requests of an endpoint, measures their time, and recovers from panics.
// A counter has no series before its first event, and each series is looked up once.
func (m *Metrics) Instrument(endpoint string, log logr.Logger, next http.Handler) http.Handler {
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
				m.ReportPanic(endpoint, log, v)
				if seen.code == 0 {
					httperror.Write(seen, nil)
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

// statusWriter records the status code.
type statusWriter struct {
	http.ResponseWriter
	code int
}

// WriteHeader records the first code, which is the one that is sent.
func (w *statusWriter) WriteHeader(code int) {
	w.code = cmp.Or(w.code, code)
	w.ResponseWriter.WriteHeader(code)
}

// Write records the code 200 if none was written before.
func (w *statusWriter) Write(b []byte) (int, error) {
	w.code = cmp.Or(w.code, http.StatusOK)
	return w.ResponseWriter.Write(b)
}

// Unwrap implements the interface of http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
