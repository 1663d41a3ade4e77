package webhook

import (
	"cmp"
	"errors"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// Results of a conversion, labels of a metric.
const (
	resultConverted = "converted"
	resultSame      = "same"
	resultFailed    = "failed"
	resultPanicked  = "panicked"
)

// metrics of one server. The values of all labels are of this program's choosing, so that no caller can make series:
// versions and kinds that are not ours are "other".
type metrics struct {
	requests     *prometheus.CounterVec   // endpoint, code
	duration     *prometheus.HistogramVec // endpoint
	inFlight     *prometheus.GaugeVec     // endpoint
	shed         *prometheus.CounterVec   // reason
	panics       *prometheus.CounterVec   // endpoint
	stacks       *logLimit                // of panics, in the log
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
	measurements []prometheus.Collector   // gauges that are functions
}

// latencies in seconds: from a claim of 2 KiB (tens of microseconds) to the 30 s at which API servers give up.
var latencies = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(measurements ...prometheus.Collector) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	return &metrics{
		requests: counter("http_requests_total", "Requests by endpoint and HTTP status code.", "endpoint", "code"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Buckets: latencies,
			Help: "Time from the header of a request to its answer, by endpoint.",
		}, []string{"endpoint"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "http_requests_in_flight", Help: "Requests that are being answered, by endpoint.",
		}, []string{"endpoint"}),
		shed:        counter("http_requests_shed_total", "Requests turned away to come back later, by reason.", "reason"),
		stacks:      newLogLimit(),
		panics:      counter("panics_total", "Panics that were caught, by endpoint.", "endpoint"),
		conversions: counter("conversions_total", "Objects by version, wanted version and result.", "from", "to", "result"),
		unknown:     counter("conversion_unknown_fields_total", "Fields dropped because the version does not have them.", "from", "to"),
		ignored:     counter("conversion_leftovers_ignored_total", "Leftovers ignored because they are malformed, out of place or of another spec.", "from", "to"),
		stale:       counter("conversion_leftovers_stale_total", "Leftovers of another allocation: an edit beat them.", "from", "to"),
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

		measurements: measurements,
	}
}

const namespace = "claimbridge"

func (m *metrics) collectors() []prometheus.Collector {
	return append([]prometheus.Collector{
		m.requests, m.duration, m.inFlight, m.shed, m.panics, m.conversions, m.unknown, m.ignored, m.stale, m.lost, m.incomplete,
		m.verdicts, m.denials, m.defaults, m.certificates, m.handshakes, m.mismatch, m.caExpiry,
	}, m.measurements...)
}

// Describe is the first half of what makes all of them one collector, for a registry of another program.
func (m *metrics) Describe(out chan<- *prometheus.Desc) {
	for _, c := range m.collectors() {
		c.Describe(out)
	}
}

// Collect is the other half.
func (m *metrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.collectors() {
		c.Collect(out)
	}
}

// shedding counts load that was turned away and tells whether an error is that.
func (m *metrics) shedding(err error) bool {
	var r *refusal
	if !errors.As(err, &r) || r.shed == "" {
		return false
	}
	m.shed.WithLabelValues(r.shed).Inc()
	return true
}

func (m *metrics) converted(from, to, result string) {
	m.conversions.WithLabelValues(versionLabel(from), versionLabel(to), result).Inc()
}

func (m *metrics) reported(to string, report conversion.Report) {
	from, to := versionLabel(report.Version), versionLabel(to)
	add := func(counter *prometheus.CounterVec, places []string) {
		if len(places) > 0 { // no series before there is something to count
			counter.WithLabelValues(from, to).Add(float64(len(places)))
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

// judged counts a verdict and, of a denial, each rule once. The names of rules are in the code.
func (m *metrics) judged(version string, operation validation.Operation, verdict string, errs []validation.Error) {
	m.verdicts.WithLabelValues(versionLabel(version), cmp.Or(string(operation), labelOther), verdict).Inc()
	counted := map[string]bool{}
	for _, e := range errs {
		if !counted[e.Rule] {
			counted[e.Rule] = true
			m.denials.WithLabelValues(e.Rule).Inc()
		}
	}
}

func (m *metrics) defaulted(result string) { m.defaults.WithLabelValues(result).Inc() }

const labelOther = "other"

// versions that are labels.
var versions = conversion.Versions()

func versionLabel(version string) string {
	if slices.Contains(versions, version) {
		return version
	}
	return labelOther
}
