package metrics

import (
	"time"

	"k8s.io/component-base/metrics"
)

var (
	certificates = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "certificate_changes_total", StabilityLevel: metrics.ALPHA,
		Help: "Certificates of the shared authority taken into use, the first one included, by certificate (ca, serving).",
	}, []string{"certificate"})
	mismatch = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "ca_bundle_mismatch", StabilityLevel: metrics.ALPHA,
		Help: "1 when the caBundle of an APIService was not seen to hold the CA that signs, by object.",
	}, []string{"object"})
	caExpiry = metrics.NewGauge(&metrics.GaugeOpts{
		Namespace: namespace, Subsystem: subsystem, Name: "ca_not_after_timestamp_seconds", StabilityLevel: metrics.ALPHA,
		Help: "End of the shared CA in seconds since 1970, 0 when there is none.",
	})
)

// Authority hears what the shared authority does.
type Authority struct{}

// Signed counts a serving certificate.
func (Authority) Signed() { certificates.WithLabelValues("serving").Inc() }

// CA counts one that signs from now on.
func (Authority) CA(notAfter time.Time) {
	certificates.WithLabelValues("ca").Inc()
	caExpiry.Set(float64(notAfter.Unix()))
}

// Bundle of an APIService.
func (Authority) Bundle(object string, holds bool) {
	mismatch.WithLabelValues(object).Set(oneIf(!holds))
}
