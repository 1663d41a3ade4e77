// Package metrics has the Prometheus metrics of the server.
package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// Metrics are the metrics of one server. All values of labels are constants, so that no client can create series:
// unknown versions have the value "other".
type Metrics struct {
	// Registry has all metrics. It is also a collector for a registry of another program.
	*prometheus.Registry

	requests    *prometheus.CounterVec   // endpoint, code
	duration    *prometheus.HistogramVec // endpoint
	inFlight    *prometheus.GaugeVec     // endpoint
	shed        *prometheus.CounterVec   // reason
	panics      *prometheus.CounterVec   // endpoint
	Stacks      *loglimit.Limiter        // limits the stacks of panics in the log
	conversions *prometheus.CounterVec   // from, to, result
	unknown     *prometheus.CounterVec   // from, to
	ignored     *prometheus.CounterVec   // from, to
	stale       *prometheus.CounterVec   // from, to
	lost        *prometheus.CounterVec   // from, to
	incomplete  *prometheus.CounterVec   // from, to, part
	results     *prometheus.CounterVec   // version, operation, verdict (a public name: the result)
	denials     *prometheus.CounterVec   // rule
	defaults    *prometheus.CounterVec   // result
	handshakes  *prometheus.CounterVec   // reason
}

// latencies are the buckets in seconds: from a claim of 2 KiB (tens of microseconds) to the 30 s after which API
// servers time out.
var latencies = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// New returns the metrics of a server.
func New() *Metrics {
	registry := prometheus.NewRegistry()
	factory := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return factory.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return factory.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	return &Metrics{
		Registry: registry,

		requests: counter("http_requests_total", "Requests by endpoint and HTTP status code.", "endpoint", "code"),
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Buckets: latencies,
			Help: "Time from the header of a request to its response, by endpoint.",
		}, []string{"endpoint"}),
		inFlight: gauge("http_requests_in_flight", "Requests in progress, by endpoint.", "endpoint"),
		shed: counter("http_requests_shed_total", "Requests rejected to shed load, by reason.",
			"reason"),
		Stacks: loglimit.New(),
		panics: counter("panics_total", "Panics that were caught, by endpoint.", "endpoint"),
		conversions: counter("conversions_total",
			"Conversions of objects by source version, target version and result.", "from", "to", "result"),
		unknown: counter("conversion_unknown_fields_total",
			"Fields dropped because the version does not have them.", "from", "to"),
		// The names with "leftovers" and "verdict" are public: dashboards and scripts use them.
		ignored: counter("conversion_leftovers_ignored_total",
			"Preserved data that was ignored because it is malformed, misplaced or of another spec.", "from", "to"),
		stale: counter("conversion_leftovers_stale_total",
			"Preserved statuses that were ignored because they belong to another claim.", "from", "to"),
		lost: counter("conversion_lost_fields_total",
			"Fields that the target version can neither represent nor preserve.", "from", "to"),
		incomplete: counter("conversion_incomplete_total",
			"Objects whose preserved data exceeds the limit for annotations, by missing part.", "from", "to", "part"),
		results: counter("admission_verdicts_total", "Validated writes by version, operation and result.",
			"version", "operation", "verdict"),
		denials:  counter("admission_denials_total", "Reasons for denials, by rule.", "rule"),
		defaults: counter("admission_defaults_total", "Writes checked for missing defaults, by result.", "result"),

		handshakes: counter("tls_handshake_failures_total", "TLS handshakes that failed, by reason.", "reason"),
	}
}

const namespace = "claimbridge"

// Gauge registers a gauge whose value is computed when it is read. Register all gauges before the server starts.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	promauto.With(m).NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value)
}

// Build registers the build information as a gauge that is always 1. Join it with other metrics to get their build.
func (m *Metrics) Build(version, revision, goVersion string) {
	promauto.With(m).NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1, by version, revision and Go version of the program.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": goVersion},
	}, func() float64 { return 1 })
}

// Other is the label value for all unknown values.
const Other = "other"

// versions are the known values of labels for versions.
var versions = conversion.Versions()

// VersionLabel returns the label value for a version from a request.
func VersionLabel(version string) string {
	if slices.Contains(versions, version) {
		return version
	}
	return Other
}
