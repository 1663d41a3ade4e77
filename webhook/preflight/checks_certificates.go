package preflight

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/config"
)

// certificatesChecks are about the certificates on that way.
var certificatesChecks = []Check{
	caBundleIsSet,
	caBundleIsCurrent,
	certificateIsCurrent,
	certificateIsTrusted,
}

var caBundleIsSet = Check{
	Name:     "ca-bundle-is-set",
	Reason:   "Without a CA bundle API servers trust only the public CAs, which sign no certificate of a Service; every call fails with \"certificate signed by unknown authority\". Cg== is a blank bundle, the placeholder of many charts.",
	Severity: Problem,
	Remedy:   "See why nobody fills it in: cert-manager's cainjector, or claimbridge itself with --certificate-secret. With files of your own apply the manifests with --ca-file.",
	find: func(v *view) {
		if v.explained(certificateSecretIsFilled) || v.certificates() == config.Self && v.explained(deploymentIsAvailable) {
			return // who fills it in does not run, and these say why
		}
		for _, c := range v.calls() {
			field := c.field + ".caBundle"
			switch {
			case c.blank() && c.url != "": // a public certificate needs none; certificate-is-trusted knows
			case len(c.caBundle) == 0:
				v.report(c.object, field+" is missing", fillIn(v, c))
			case c.blank():
				v.report(c.object, field+" is blank, only white space (Cg==)", fillIn(v, c))
			default:
				if _, err := parseCertificates(c.caBundle); err != nil {
					v.report(c.object, fmt.Sprintf("%s cannot be read: %v", field, err), fillIn(v, c))
				}
			}
		}
	},
}

func fillIn(v *view, c call) remedy {
	switch v.certificates() {
	case config.Self:
		if v.found(serverHasItsRights) {
			r := v.apply(config.ServerPart)
			r.text = "the server fills it in once it has its rights again: " + r.text
			return r
		}
		return say("the server should fill it in, and looks every ten seconds: run preflight again; if it is still so then, see its log").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
	case config.CertManager:
		return v.byCertManager("cert-manager's cainjector fills it in when the certificate is ready; see whether it is")
	}
	r := v.applyTo(c)
	r.text = "put the CA of your certificate there: " + r.text
	return r
}

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

var certificateIsTrusted = Check{
	Name:     "certificate-is-trusted",
	Reason:   "Each object that names the server has a CA bundle of its own. Where that is not the CA of the certificate that is served, or the certificate has another name, every call fails.",
	Severity: Problem,
	Remedy:   "Find out who fills in the bundle and why not with this CA, see docs/certificates.md.",
	find: func(v *view) {
		for _, c := range v.calls() {
			bundle := c.bundle()
			_, current := roots(bundle)
			if len(bundle) > 0 && !current || len(bundle) == 0 && c.url == "" {
				continue // ca-bundle-is-current and ca-bundle-is-set say so
			}
			served := v.served(c)
			if served == nil || !isCurrent(served.chain[0]) {
				continue // certificate-is-current says so
			}
			if err := served.trusted(bundle, c.serverName()); err != nil {
				v.report(c.object, fmt.Sprintf("%s.caBundle does not fit the certificate that is served (%s): %v", c.field, served.from, err),
					trust(v, c))
			}
		}
	},
}

// trusted by whoever has the bundle, or the system's CAs when it is empty.
func (s *serving) trusted(bundle []*x509.Certificate, serverName string) error {
	if s.authority {
		if slices.ContainsFunc(bundle, s.chain[0].Equal) {
			return nil
		}
		return errors.New("it is not signed by any CA of the bundle")
	}
	options := x509.VerifyOptions{DNSName: serverName, Intermediates: x509.NewCertPool()}
	if len(bundle) > 0 {
		options.Roots, _ = roots(bundle)
	}
	for _, intermediate := range s.chain[1:] {
		options.Intermediates.AddCert(intermediate)
	}
	_, err := s.chain[0].Verify(options)
	return err
}

// trust what is served: put its CA where another one is.
func trust(v *view, c call) remedy {
	if c.url != "" {
		return say("give it the CA of %s, or have claimbridge called by its Service", c.url).by(v.byService(&c))
	}
	if v.certificates() == config.Files && v.installedCA() == "" {
		return say("serve a certificate of a CA that is in the bundle, for the name %s: put it into Secret %s, docs/certificates.md says how",
			c.serverName(), v.aside().certificateSource().name)
	}
	return fillIn(v, c)
}
