// Package metrics counts what a server does, for Prometheus.
package metrics

import (
	"cmp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
)

// Results of a conversion, labels of a metric.
const (
	ResultConverted = "converted"
	ResultSame      = "same"
	ResultFailed    = "failed"
	ResultPanicked  = "panicked"
)

// Metrics of one server. The values of all labels are of this program's choosing, so that no caller can make series:
// versions and kinds that are not ours are "other".
type Metrics struct {
	requests     *prometheus.CounterVec   // endpoint, code
	duration     *prometheus.HistogramVec // endpoint
	inFlight     *prometheus.GaugeVec     // endpoint
	shed         *prometheus.CounterVec   // reason
	panics       *prometheus.CounterVec   // endpoint
	Stacks       *loglimit.Limit          // of panics, in the log
	conversions  *prometheus.CounterVec   // from, to, result
	unknown      *prometheus.CounterVec   // from, to
	ignored      *prometheus.CounterVec   // from, to
	stale        *prometheus.CounterVec   // from, to
	lost         *prometheus.CounterVec   // from, to
	incomplete   *prometheus.CounterVec   // from, to, part
	verdicts     *prometheus.CounterVec   // version, operation, verdict
	denials      *prometheus.CounterVec   // rule
	defaults     *prometheus.CounterVec   // result
	certificates *prometheus.CounterVec   // certificate
	handshakes   *prometheus.CounterVec   // reason
	mismatch     *prometheus.GaugeVec     // object
	caExpiry     prometheus.Gauge         //
	all          []prometheus.Collector
}

// latencies in seconds: from a claim of 2 KiB (tens of microseconds) to the 30 s at which API servers give up.
var latencies = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// New metrics.
func New() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	m := &Metrics{
		requests: counter("http_requests_total", "Requests by endpoint and HTTP status code.", "endpoint", "code"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Buckets: latencies,
			Help: "Time from the header of a request to its answer, by endpoint.",
		}, []string{"endpoint"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "http_requests_in_flight", Help: "Requests that are being answered, by endpoint.",
		}, []string{"endpoint"}),
		shed:        counter("http_requests_shed_total", "Requests turned away to come back later, by reason.", "reason"),
		Stacks:      loglimit.New(),
		panics:      counter("panics_total", "Panics that were caught, by endpoint.", "endpoint"),
		conversions: counter("conversions_total", "Objects by version, wanted version and result.", "from", "to", "result"),
		unknown:     counter("conversion_unknown_fields_total", "Fields dropped because the version does not have them.", "from", "to"),
		ignored:     counter("conversion_leftovers_ignored_total", "Leftovers ignored because they are malformed, out of place or of another spec.", "from", "to"),
		stale:       counter("conversion_leftovers_stale_total", "Leftovers of another claim: it was restored, or made from a copy.", "from", "to"),
		lost:        counter("conversion_lost_fields_total", "Fields without a home in the wanted version.", "from", "to"),
		incomplete:  counter("conversion_incomplete_total", "Copies without room for their leftover, by missing part.", "from", "to", "part"),
		verdicts:    counter("admission_verdicts_total", "Writes judged, by version, operation and verdict.", "version", "operation", "verdict"),
		denials:     counter("admission_denials_total", "Reasons for denials, by rule.", "rule"),
		defaults:    counter("admission_defaults_total", "Writes looked at for missing defaults, by result.", "result"),

		certificates: counter("certificate_changes_total", "Certificates taken into use, the first one included, by certificate (ca, serving).", "certificate"),
		handshakes:   counter("tls_handshake_failures_total", "TLS handshakes that failed, by reason.", "reason"),
		mismatch: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_bundle_mismatch",
			Help: "1 when the caBundle of an object was not seen to hold the CA that signs, by object.",
		}, []string{"object"}),
		caExpiry: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_not_after_timestamp_seconds",
			Help: "End of the CA made here in seconds since 1970, 0 when there is none.",
		}),
	}
	m.all = []prometheus.Collector{
		m.requests, m.duration, m.inFlight, m.shed, m.panics, m.conversions, m.unknown, m.ignored, m.stale, m.lost, m.incomplete,
		m.verdicts, m.denials, m.defaults, m.certificates, m.handshakes, m.mismatch, m.caExpiry,
	}
	return m
}

const namespace = "claimbridge"

// Gauge that is looked up when it is read. All have to be there before anything is served.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.all = append(m.all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value))
}

// Build that runs, as a gauge that is always 1: joined with other metrics it says which build they are of.
func (m *Metrics) Build(version, revision, goVersion string) {
	m.all = append(m.all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1, by version, revision and Go version of the program.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": goVersion},
	}, func() float64 { return 1 }))
}

// Describe is the first half of what makes all of them one collector, for a registry of another program.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, c := range m.all {
		c.Describe(out)
	}
}

// Collect is the other half.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.all {
		c.Collect(out)
	}
}

// Shed counts load that was turned away, by one of the reasons.
func (m *Metrics) Shed(reason string) { m.shed.WithLabelValues(reason).Inc() }

// Converted counts an object.
func (m *Metrics) Converted(from, to, result string) {
	m.conversions.WithLabelValues(VersionLabel(from), VersionLabel(to), result).Inc()
}

// Reported counts what a conversion did beside converting.
func (m *Metrics) Reported(to string, report conversion.Report) {
	from, to := VersionLabel(report.Version), VersionLabel(to)
	add := func(counter *prometheus.CounterVec, paths []string) {
		if len(paths) > 0 { // no series before there is something to count
			counter.WithLabelValues(from, to).Add(float64(len(paths)))
		}
	}
	add(m.unknown, report.Unknown)
	add(m.ignored, report.Ignored)
	add(m.stale, report.Stale)
	add(m.lost, report.Lost)
	if report.Incomplete != "" {
		m.incomplete.WithLabelValues(from, to, report.Incomplete).Inc()
	}
}

// Judged counts a verdict and, of a denial, each rule once. The names of rules are in the code.
func (m *Metrics) Judged(version string, operation validation.Operation, verdict string, errs []validation.Error) {
	m.verdicts.WithLabelValues(VersionLabel(version), cmp.Or(string(operation), Other), verdict).Inc()
	counted := map[string]bool{}
	for _, e := range errs {
		if !counted[e.Rule] {
			counted[e.Rule] = true
			m.denials.WithLabelValues(e.Rule).Inc()
		}
	}
}

// HandshakeFailed counts one, by its reason.
func (m *Metrics) HandshakeFailed(reason string) { m.handshakes.WithLabelValues(reason).Inc() }

// Defaulted counts a write that was looked at for missing defaults.
func (m *Metrics) Defaulted(result string) { m.defaults.WithLabelValues(result).Inc() }

// Other stands for whatever is not one of ours.
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
