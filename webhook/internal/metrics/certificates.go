package metrics

import (
	"time"
)

// Signed counts a serving certificate that is taken into use, whoever signed it.
func (m *Metrics) Signed() { m.certificates.WithLabelValues("serving").Inc() }

// CA counts a CA that signs from now on.
func (m *Metrics) CA(notAfter time.Time) {
	m.certificates.WithLabelValues("ca").Inc()
	m.caExpiry.Set(float64(notAfter.Unix()))
}

// Bundle reports whether callers of an object trust what is served. The objects are those of the options.
func (m *Metrics) Bundle(object string, holds bool) {
	value := 1.0
	if holds {
		value = 0
	}
	m.mismatch.WithLabelValues(object).Set(value)
}
