package preflight

import "github.com/claimbridge/claimbridge/config"

var certificateIsCurrent = Check{
	Name:     "certificate-is-current",
	Reason:   "API servers refuse a certificate that has expired. With a tenth of its life left it should have been replaced.",
	Severity: Problem,
	Remedy:   "Find out why it is not renewed, see docs/certificates.md.",
	find: func(v *view) {
		for _, c := range v.calls() {
			served := v.served(c)
			if served == nil {
				continue
			}
			certificate, subject := served.chain[0], "the certificate that is served "
			if served.authority {
				subject = "the CA that signs what is served "
			}
			if !isCurrent(certificate) {
				v.report(served.from, subject+validity(certificate), renew(v))
			} else if overdue(certificate) {
				v.warn(served.from, subject+validity(certificate)+" and has not been replaced", renew(v))
			}
		}
	},
}

// renew the certificate, by whoever makes it.
func renew(v *view) remedy {
	if v.certificates() == config.Files {
		return say("put a new certificate and its key into Secret %s: docs/certificates.md says how", v.aside().certificateSource().name)
	}
	return renewCA(v)
}
