package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Endpoint has metrics that are looked up once. What has nothing to count yet has no series.
type Endpoint struct {
	InFlight prometheus.Gauge
	duration func() prometheus.Observer
	ok       func() prometheus.Counter
	requests *prometheus.CounterVec // code
}

// Endpoint by its name.
func (m *Metrics) Endpoint(name string) *Endpoint {
	requests := m.requests.MustCurryWith(prometheus.Labels{"endpoint": name})
	return &Endpoint{
		InFlight: m.inFlight.WithLabelValues(name),
		duration: sync.OnceValue(func() prometheus.Observer { return m.duration.WithLabelValues(name) }),
		ok:       sync.OnceValue(func() prometheus.Counter { return requests.WithLabelValues("200") }),
		requests: requests,
	}
}

// Answered counts an answer and how long it took.
func (e *Endpoint) Answered(code int, since time.Time) {
	if code == http.StatusOK {
		e.ok().Inc()
	} else {
		e.requests.WithLabelValues(strconv.Itoa(code)).Inc()
	}
	e.duration().Observe(time.Since(since).Seconds())
}
