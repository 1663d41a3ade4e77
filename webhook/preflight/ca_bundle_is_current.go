package preflight

import (
	"crypto/x509"
	"slices"

	"github.com/claimbridge/claimbridge/config"
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
				v.report(c.object, field+": its CA "+validity(best), renewBundle(v, c))
			} else if overdue(best) {
				v.warn(c.object, field+": its CA "+validity(best)+" and has not been replaced", renewBundle(v, c))
			}
		}
	},
}

// renewBundle of a call: with files of one's own another object may have the CA already.
func renewBundle(v *view, c call) remedy {
	if v.certificates() == config.Files && v.installedCA() != "" {
		return v.applyTo(c)
	}
	return renewCA(v)
}

// renewCA by whoever makes it.
func renewCA(v *view) remedy {
	switch v.certificates() {
	case config.Self:
		return say("the server renews it; see in its log why it does not").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
	case config.CertManager:
		return v.byCertManager("cert-manager renews it; see why it does not")
	}
	return say("make a new CA and certificate, put both into Secret %s, and the CA into each caBundle: docs/certificates.md says in which order", v.aside().certificateSource().name)
}
