package preflight

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/config"
)

var caBundleIsSet = &Check{
	Name: "ca-bundle-is-set",
	Reason: "Without a CA bundle every call fails with \"certificate signed by unknown authority\". Cg== is a blank " +
		"bundle, the placeholder of many charts.",
	after: []*Check{deploymentIsAvailable}, // whoever fills it in does not run
	reads: whoCalls,
	find: each((*state).calls, func(s *state, r *report, c call) {
		field := c.field + ".caBundle"
		switch {
		case c.blank() && c.url != "": // a public certificate needs none; certificate-is-trusted knows
		case len(c.caBundle) == 0:
			r.problem(c.object, field+" is missing", s.fillIn(c))
		case c.blank():
			r.problem(c.object, field+" is blank, only white space (Cg==)", s.fillIn(c))
		default:
			if _, err := parseCertificates(c.caBundle); err != nil {
				r.problem(c.object, fmt.Sprintf("%s cannot be read: %v", field, err), s.fillIn(c))
			}
		}
	}),
}

var caBundleIsCurrent = &Check{
	Name: "ca-bundle-is-current",
	Reason: "An expired CA is trusted by nobody: every call fails. With a tenth of its life left it should have been " +
		"replaced.",
	reads: whoCalls,
	find: each((*state).calls, func(s *state, r *report, c call) {
		bundle := c.bundle()
		if len(bundle) == 0 {
			return
		}
		do := s.renewCA()
		if s.certificates() == config.Files {
			do.text += "; or, if your certificate has a new CA already, " + s.applyTo(c).text
		}
		// Beside a CA that is good for long an old one does no harm: it is there until its last leaf is gone.
		best := slices.MaxFunc(bundle, func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) })
		field := c.field + ".caBundle"
		if !slices.ContainsFunc(bundle, isCurrent) {
			r.problem(c.object, field+": its CA "+validity(best), do)
		} else if overdue(best) {
			r.add(Warning, c.object, field+": its CA "+validity(best)+" and has not been replaced", do)
		}
	}),
}

// whatIsServed is read from these.
var whatIsServed = append([]resource{deployments, secrets, servedCertificates}, whoCalls...)

var certificateIsCurrent = &Check{
	Name: "certificate-is-current",
	Reason: "API servers refuse a certificate that has expired. With a tenth of its life left it should have been " +
		"replaced.",
	after: []*Check{certificateSecretIsFilled, conversionIsNotLeftBehind},
	reads: whatIsServed,
	find: each((*state).calls, func(s *state, r *report, c call) {
		served := s.serving(c)
		if served == nil {
			// nothing to see, or no Secret of the name that the manifests have, and no Deployment
			// that says where the certificate is
			if source := s.certificateSource(); s.isCalled(c) && !source.known && s.secrets[source.name] == nil {
				err := errors.New("there is no Secret of that name, and no Deployment that names another")
				r.findings = append(r.findings, unseen(secrets.object(s.Namespace, source.name), "get", secrets, err))
			}
			return
		}
		certificate, subject := served.chain[0], "the certificate that is served "
		if served.authority {
			subject = "the CA that signs what is served "
		}
		do := s.renewCA()
		if s.certificates() == config.Files {
			do = say("put a new certificate and its key into Secret %s: docs/certificates.md says how",
				s.certificateSource().name)
		}
		if !isCurrent(certificate) {
			r.problem(served.from, subject+validity(certificate), do)
		} else if overdue(certificate) {
			r.add(Warning, served.from, subject+validity(certificate)+" and has not been replaced", do)
		}
	}),
}

var certificateIsTrusted = &Check{
	Name: "certificate-is-trusted",
	Reason: "Each object that names the server has a CA bundle of its own. Where that does not fit the certificate, " +
		"every call fails.",
	after: []*Check{caBundleIsSet, caBundleIsCurrent, certificateIsCurrent},
	reads: whatIsServed,
	find: each((*state).calls, func(s *state, r *report, c call) {
		served, bundle := s.serving(c), c.bundle()
		if served == nil || len(bundle) == 0 && c.url == "" {
			return
		}
		if err := served.trusted(bundle, c.serverName()); err != nil {
			r.problem(c.object,
				fmt.Sprintf("%s.caBundle does not fit the certificate that is served (%s): %v", c.field, served.from,
					err),
				trust(s, c))
		}
	}),
}

// trust what is served: put its CA where another one is.
func trust(s *state, c call) remedy {
	if c.url != "" {
		return say("give it the CA of %s, or have claimbridge called by its Service", c.url).by(s.byService(&c))
	}
	r := s.fillIn(c)
	if s.certificates() == config.Files {
		r.text += fmt.Sprintf("; or serve a certificate of a CA that is in the bundle, for the name %s, from Secret "+
			"%s: docs/certificates.md",
			c.serverName(), s.certificateSource().name)
	}
	return r
}
