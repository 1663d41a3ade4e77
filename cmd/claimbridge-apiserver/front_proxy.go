package main

import (
	"crypto/x509"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	authenticatedgroup "k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/headerrequest"
)

// frontProxy takes the word of an API server for who calls. A generic server computes for each request anew whether the certificate that came
// with it is signed by the front proxy's CA, for 0.12 ms. A kube-apiserver has one certificate for all requests, which a TLS handshake has
// shown to be its own; so this is computed once for each of the last few, and again when the CA or the time is another. Anybody else, and whatever
// fails here, is for the authenticators of the generic server.
type frontProxy struct {
	next    authenticator.Request
	headers authenticator.Request
	config  *authenticatorfactory.RequestHeaderConfig
	recent  atomic.Pointer[[]*proof] // the newest first
	// verify a certificate; a test counts how often.
	verify func(*x509.Certificate, x509.VerifyOptions) ([][]*x509.Certificate, error)
}

// mostProofs is how many API servers there are at most, each with a certificate of its own: a cluster has three or five.
const mostProofs = 8

// proof that a certificate was signed by one of the roots.
type proof struct {
	presented   [][]byte       // leaf first
	roots       *x509.CertPool // another one when the CA changes
	after, upTo time.Time      // while all certificates of the chain are valid
}

// newFrontProxy before other authenticators; without a front proxy there are only these.
func newFrontProxy(config *authenticatorfactory.RequestHeaderConfig, next authenticator.Request) authenticator.Request {
	if config == nil {
		return next
	}
	headers := headerrequest.NewDynamic(config.UsernameHeaders, config.UIDHeaders, config.GroupHeaders, config.ExtraHeaderPrefixes)
	return &frontProxy{next: next, headers: authenticatedgroup.NewAuthenticatedGroupAdder(headers), config: config, verify: (*x509.Certificate).Verify}
}

func (f *frontProxy) AuthenticateRequest(r *http.Request) (*authenticator.Response, bool, error) {
	if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 && f.proven(r.TLS.PeerCertificates) {
		connectionOf(r).proven()
		if response, ok, err := f.headers.AuthenticateRequest(r); ok && err == nil {
			return response, true, nil
		}
	}
	return f.next.AuthenticateRequest(r)
}

// proven tells whether certificates that came with a request are those of the front proxy.
func (f *frontProxy) proven(presented []*x509.Certificate) bool {
	options, ok := f.config.CAContentProvider.VerifyOptions()
	names := f.config.AllowedClientNames.Value()
	if !ok || len(names) > 0 && !slices.Contains(names, presented[0].Subject.CommonName) {
		return false
	}
	now := time.Now()
	var recent []*proof
	if known := f.recent.Load(); known != nil {
		recent = *known
	}
	if slices.ContainsFunc(recent, func(p *proof) bool { return p.of(presented, options.Roots, now) }) {
		return true
	}
	if options.Intermediates == nil {
		options.Intermediates = x509.NewCertPool()
		for _, certificate := range presented[1:] {
			options.Intermediates.AddCert(certificate)
		}
	}
	chains, err := f.verify(presented[0], options)
	if err != nil {
		return false
	}
	p := &proof{roots: options.Roots, after: chains[0][0].NotBefore, upTo: chains[0][0].NotAfter}
	for _, certificate := range presented {
		p.presented = append(p.presented, certificate.Raw)
	}
	for _, certificate := range chains[0][1:] {
		if certificate.NotBefore.After(p.after) {
			p.after = certificate.NotBefore
		}
		if certificate.NotAfter.Before(p.upTo) {
			p.upTo = certificate.NotAfter
		}
	}
	// Who verifies at the same time may take this one's place: then it is verified once more.
	newest := append([]*proof{p}, recent[:min(len(recent), mostProofs-1)]...)
	f.recent.Store(&newest)
	return true
}

// of these certificates and this CA, and valid now.
func (p *proof) of(presented []*x509.Certificate, roots *x509.CertPool, now time.Time) bool {
	return p.roots == roots && !now.Before(p.after) && !now.After(p.upTo) &&
		slices.EqualFunc(p.presented, presented, func(raw []byte, c *x509.Certificate) bool { return string(raw) == string(c.Raw) })
}
