package certs

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are the Prometheus metrics of a [Source].
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
			Help: "Number of certificates activated, including the first, by certificate (ca, serving).",
		}, []string{"certificate"}),
		mismatch: register.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_bundle_mismatch",
			Help: "1 if an object's caBundle is not known to contain the signing CA, by object.",
		}, []string{"object"}),
		caExpiry: register.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "ca_not_after_timestamp_seconds",
			Help: "Expiry of the CA that this server generated, in seconds since 1970, or 0 if there is none.",
		}),
	}
}

// countServingCertificate counts a serving certificate that was signed or loaded.
func (m *metrics) countServingCertificate() { m.changes.WithLabelValues("serving").Inc() }

// recordSigningCA counts a CA that begins to sign.
func (m *metrics) recordSigningCA(notAfter time.Time) {
	m.changes.WithLabelValues("ca").Inc()
	m.caExpiry.Set(float64(notAfter.Unix()))
}

// setBundle records whether the caBundles of an object, such as "customresourcedefinitions/name", were last seen to
// contain the CA that signs.
func (m *metrics) setBundle(object string, holds bool) {
	value := 1.0
	if holds {
		value = 0
	}
	m.mismatch.WithLabelValues(object).Set(value)
}
