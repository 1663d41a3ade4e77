package webhook

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// endpointMetrics are looked up once. What has nothing to count yet has no series.
type endpointMetrics struct {
	inFlight prometheus.Gauge
	duration func() prometheus.Observer
	ok       func() prometheus.Counter
	requests *prometheus.CounterVec // code
}

func (m *metrics) endpoint(name string) *endpointMetrics {
	requests := m.requests.MustCurryWith(prometheus.Labels{"endpoint": name})
	return &endpointMetrics{
		inFlight: m.inFlight.WithLabelValues(name),
		duration: sync.OnceValue(func() prometheus.Observer { return m.duration.WithLabelValues(name) }),
		ok:       sync.OnceValue(func() prometheus.Counter { return requests.WithLabelValues("200") }),
		requests: requests,
	}
}

func (e *endpointMetrics) answered(code int, since time.Time) {
	if code == http.StatusOK {
		e.ok().Inc()
	} else {
		e.requests.WithLabelValues(strconv.Itoa(code)).Inc()
	}
	e.duration().Observe(time.Since(since).Seconds())
}
