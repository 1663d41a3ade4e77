package preflight

import (
	"crypto/x509"
	"slices"
)

var caBundleIsCurrent = Check{
	Name:     "ca-bundle-is-current",
	Reason:   "An expired CA is trusted by nobody: every call fails. With a tenth of its life left it should have been replaced.",
	Severity: Problem,
	Remedy:   "Renew the CA, see docs/certificates.md.",
	find: func(v *view) {
		for _, c := range v.calls() {
			bundle := c.bundle()
			if len(bundle) == 0 {
				continue
			}
			// Beside a CA that is good for long an old one does no harm: it is there until its last leaf is gone.
			best := slices.MaxFunc(bundle, func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) })
			field := c.field + ".caBundle"
			if _, current := roots(bundle); !current {
				v.report(c.object, field+": its CA "+validity(best), "renew the CA, see docs/certificates.md")
			} else if overdue(best) {
				v.warn(c.object, field+": its CA "+validity(best)+" and has not been replaced", "find out why it is not renewed, see docs/certificates.md")
			}
		}
	},
}
