// Package metrics counts what the server does, for Prometheus. They stand beside those of the generic server, at its /metrics. Every value of
// a label is one that the server knows, so that no caller makes series.
package metrics

import (
	"strconv"
	"sync"
	"time"

	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

const (
	namespace = "claimbridge"
	subsystem = "apiserver"
)

// latencies in seconds: from a claim of 2 KiB (some hundred microseconds here, a millisecond in the store) to the 60 s of a request.
var latencies = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

var (
	requests = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "requests_total", StabilityLevel: metrics.ALPHA,
		Help: "Requests for objects in old versions, by version, resource, verb and HTTP status code; error where the connection broke off.",
	}, []string{"version", "resource", "verb", "code"})
	durations = metrics.NewHistogramVec(&metrics.HistogramOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "request_duration_seconds", StabilityLevel: metrics.ALPHA, Buckets: latencies,
		Help: "Time of requests but watches, by version, verb and part: store is waiting for the cluster's own API, convert is all else.",
	}, []string{"version", "verb", "part"})
	watches = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "watches", StabilityLevel: metrics.ALPHA,
		Help: "Watches that are being served, by version.",
	}, []string{"version"})
	retries = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "write_retries_total", StabilityLevel: metrics.ALPHA,
		Help: "Writes that were put into the stored object anew, as somebody else had changed it meanwhile, by version.",
	}, []string{"version"})
	shed = metrics.NewCounter(&metrics.CounterOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "requests_shed_total", StabilityLevel: metrics.ALPHA,
		Help: "Requests turned away to come back later, as there was no memory to answer them.",
	})
	storeRequests = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "store_requests_total", StabilityLevel: metrics.ALPHA,
		Help: "Requests to the cluster's own API, by method and HTTP status code; error where there was no answer.",
	}, []string{"method", "code"})
	conflicts = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "version_conflict", StabilityLevel: metrics.ALPHA,
		Help: "1 when the cluster serves a version itself, or a definition of the group exists, so that this server must not serve it.",
	}, []string{"version"})
	buildInfo = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Namespace: namespace, Name: "build_info", StabilityLevel: metrics.ALPHA,
		Help: "Always 1, by version, revision and Go version of the program.",
	}, []string{"version", "revision", "goversion"})
)

var register = sync.OnceFunc(func() {
	legacyregistry.MustRegister(requests, durations, watches, retries, shed, storeRequests, conflicts, buildInfo, certificates, mismatch, caExpiry)
})

// Register them at the registry of the generic server, once.
func Register() { register() }

// Build that runs. The generic server's kubernetes_build_info has the same version, but only where the linker was told one.
func Build(version, revision, goVersion string) {
	buildInfo.WithLabelValues(version, revision, goVersion).Set(1)
}

// Stored counts an answer of the store; code 0 is none.
func Stored(method string, code int) { storeRequests.WithLabelValues(method, label(code)).Inc() }

// Answered counts a request, with code 0 when its connection was broken off.
func Answered(version, resource, verb string, code int) {
	requests.WithLabelValues(version, resource, verb, label(code)).Inc()
}

// Took says how long a request took that is no watch, and how much of that was spent waiting for the store.
func Took(version, verb string, total, store time.Duration) {
	durations.WithLabelValues(version, verb, "store").Observe(store.Seconds())
	durations.WithLabelValues(version, verb, "convert").Observe((total - store).Seconds())
}

// TriedAgain counts how often a write was put into the stored object anew, as somebody else had been faster.
func TriedAgain(version string, times int) { retries.WithLabelValues(version).Add(float64(times)) }

// Shed counts a request that was turned away.
func Shed() { shed.Inc() }

// Watching counts a watch until the function that it gives is called.
func Watching(version string) (ended func()) {
	gauge := watches.WithLabelValues(version)
	gauge.Inc()
	return gauge.Dec
}

// Conflict says whether a version must not be served here.
func Conflict(version string, is bool) { conflicts.WithLabelValues(version).Set(oneIf(is)) }

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func label(code int) string {
	if code == 0 {
		return "error"
	}
	return strconv.Itoa(code)
}
