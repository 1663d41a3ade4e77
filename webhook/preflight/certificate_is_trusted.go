package preflight

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/config"
)

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
