package certs

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Recorder receives the events of a [Shared] authority, for metrics.
type Recorder interface {
	// Signed is called when a serving certificate was signed or loaded.
	Signed()
	// CA is called when a CA begins to sign.
	CA(notAfter time.Time)
	// Bundle is called with an object, such as "customresourcedefinitions/name", and whether its caBundles were last seen
	// to contain the CA that signs.
	Bundle(object string, holds bool)
}

// metrics are the Prometheus metrics of a [Source]. They implement [Recorder].
type metrics struct {
	prometheus.Collector
	changes  *prometheus.CounterVec // certificate
	mismatch *prometheus.GaugeVec   // object
	caExpiry prometheus.Gauge
}

func newMetrics() *metrics {
	const namespace = "claimbridge"
	registry := prometheus.NewRegistry()
	register := promauto.With(registry)
	return &metrics{
		Collector: registry,
		changes: register.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "certificate_changes_total",
			Help: "Certificates taken into use, the first one included, by certificate (ca, serving).",
		}, []string{"certificate"}),
		mismatch: register.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_bundle_mismatch",
			Help: "1 when the caBundle of an object was not seen to hold the CA that signs, by object.",
		}, []string{"object"}),
		caExpiry: register.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_not_after_timestamp_seconds",
			Help: "Expiry of the CA that this server generated, in seconds since 1970, or 0 if there is none.",
		}),
	}
}

// Signed implements [Recorder].
func (m *metrics) Signed() { m.changes.WithLabelValues("serving").Inc() }

// CA implements [Recorder].
func (m *metrics) CA(notAfter time.Time) {
	m.changes.WithLabelValues("ca").Inc()
	m.caExpiry.Set(float64(notAfter.Unix()))
}

// Bundle implements [Recorder].
func (m *metrics) Bundle(object string, holds bool) {
	value := 1.0
	if holds {
		value = 0
	}
	m.mismatch.WithLabelValues(object).Set(value)
}
