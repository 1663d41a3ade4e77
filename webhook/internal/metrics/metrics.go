// Package metrics counts what a server does, for Prometheus.
package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// Metrics of one server. The values of all labels are of this program's choosing, so that no caller can make series:
// versions and kinds that are not ours are "other".
type Metrics struct {
	// Registry of all of them, which is one collector for a registry of another program.
	*prometheus.Registry

	requests    *prometheus.CounterVec   // endpoint, code
	duration    *prometheus.HistogramVec // endpoint
	inFlight    *prometheus.GaugeVec     // endpoint
	shed        *prometheus.CounterVec   // reason
	panics      *prometheus.CounterVec   // endpoint
	Stacks      *loglimit.Limit          // of panics, in the log
	conversions *prometheus.CounterVec   // from, to, result
	unknown     *prometheus.CounterVec   // from, to
	ignored     *prometheus.CounterVec   // from, to
	stale       *prometheus.CounterVec   // from, to
	lost        *prometheus.CounterVec   // from, to
	incomplete  *prometheus.CounterVec   // from, to, part
	results     *prometheus.CounterVec   // version, operation, verdict (the result)
	denials     *prometheus.CounterVec   // rule
	defaults    *prometheus.CounterVec   // result
	handshakes  *prometheus.CounterVec   // reason
}

// latencies in seconds: from a claim of 2 KiB (tens of microseconds) to the 30 s at which API servers give up.
var latencies = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// New metrics.
func New() *Metrics {
	registry := prometheus.NewRegistry()
	made := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return made.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return made.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	return &Metrics{
		Registry: registry,

		requests: counter("http_requests_total", "Requests by endpoint and HTTP status code.", "endpoint", "code"),
		duration: made.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Buckets: latencies,
			Help: "Time from the header of a request to its answer, by endpoint.",
		}, []string{"endpoint"}),
		inFlight: gauge("http_requests_in_flight", "Requests that are being answered, by endpoint.", "endpoint"),
		shed: counter("http_requests_shed_total", "Requests turned away to come back later, by reason.",
			"reason"),
		Stacks: loglimit.New(),
		panics: counter("panics_total", "Panics that were caught, by endpoint.", "endpoint"),
		conversions: counter("conversions_total", "Objects by version, wanted version and result.",
			"from", "to", "result"),
		unknown: counter("conversion_unknown_fields_total",
			"Fields dropped because the version does not have them.", "from", "to"),
		ignored: counter("conversion_leftovers_ignored_total",
			"Leftovers ignored because they are malformed, out of place or of another spec.", "from", "to"),
		stale: counter("conversion_leftovers_stale_total",
			"Leftovers of another claim: it was restored, or made from a copy.", "from", "to"),
		lost: counter("conversion_lost_fields_total", "Fields without a home in the wanted version.",
			"from", "to"),
		incomplete: counter("conversion_incomplete_total", "Copies without room for their leftover, by missing part.",
			"from", "to", "part"),
		results: counter("admission_verdicts_total", "Writes validated, by version, operation and result.",
			"version", "operation", "verdict"),
		denials:  counter("admission_denials_total", "Reasons for denials, by rule.", "rule"),
		defaults: counter("admission_defaults_total", "Writes looked at for missing defaults, by result.", "result"),

		handshakes: counter("tls_handshake_failures_total", "TLS handshakes that failed, by reason.", "reason"),
	}
}

const namespace = "claimbridge"

// Gauge that is looked up when it is read. All have to be there before anything is served.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	promauto.With(m).NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value)
}

// Build that runs, as a gauge that is always 1: joined with other metrics it says which build they are of.
func (m *Metrics) Build(version, revision, goVersion string) {
	promauto.With(m).NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1, by version, revision and Go version of the program.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": goVersion},
	}, func() float64 { return 1 })
}

// Other is the label of all unknown values.
const Other = "other"

// versions that are labels.
var versions = conversion.Versions()

// VersionLabel of a version that a caller named.
func VersionLabel(version string) string {
	if slices.Contains(versions, version) {
		return version
	}
	return Other
}
