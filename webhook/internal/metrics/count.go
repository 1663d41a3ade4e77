package metrics

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/validation"
)

// Results of a conversion, values of a label of a metric.
const (
	ResultConverted = "converted"
	ResultSame      = "same"
	ResultFailed    = "failed"
	ResultPanicked  = "panicked"
)

// CountShed counts a request that was rejected to shed load, by reason.
func (m *Metrics) CountShed(reason string) { m.shed.WithLabelValues(reason).Inc() }

// CountConversion counts a conversion of an object.
func (m *Metrics) CountConversion(from, to, result string) {
	m.conversions.WithLabelValues(VersionLabel(from), VersionLabel(to), result).Inc()
}

// CountReport counts the dropped, ignored, stale and lost data of a conversion, and its incomplete results.
func (m *Metrics) CountReport(to string, report conversion.Report) {
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

// CountValidation counts a result and, for a denial, each rule once. The names of rules are constants.
func (m *Metrics) CountValidation(
	version string, operation validation.Operation, result string, errs []validation.Error,
) {
	m.results.WithLabelValues(VersionLabel(version), cmp.Or(string(operation), Other), result).Inc()
	counted := map[string]bool{}
	for _, e := range errs {
		if !counted[e.Rule] {
			counted[e.Rule] = true
			m.denials.WithLabelValues(e.Rule).Inc()
		}
	}
}

// CountHandshakeFailure counts a failed handshake by reason.
func (m *Metrics) CountHandshakeFailure(reason string) { m.handshakes.WithLabelValues(reason).Inc() }

// CountDefaulting counts a write that was checked for missing defaults.
func (m *Metrics) CountDefaulting(result string) { m.defaults.WithLabelValues(result).Inc() }

// ReportPanic counts a panic and logs it with its stack. It logs the value only if it is an error of the Go runtime,
// because other texts might contain data of a client.
func (m *Metrics) ReportPanic(endpoint string, log logr.Logger, value any) {
	m.panics.WithLabelValues(endpoint).Inc()
	omitted, ok := m.Stacks.AllowLine()
	if !ok {
		return
	}
	what := fmt.Sprintf("%T", value)
	if err, ok := value.(runtime.Error); ok {
		what = err.Error()
	}
	log.Error(nil, "Caught a panic", "endpoint", endpoint, "panic", what, "stack", plainlog.Lines(debug.Stack()),
		"omitted", omitted)
}
