package certs

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Leaf describes a certificate of a client or a server.
type Leaf struct {
	// Name is the common name.
	Name string
	// Groups of a client are the organizations of its certificate.
	Groups []string
	// Hosts are the DNS names and IP addresses of a server.
	Hosts []string
	// Usage defaults to client and server authentication.
	Usage []x509.ExtKeyUsage
	// Validity defaults to that of the authority.
	Validity Validity
}

// Leaf is [Authority.Sign] for a test.
func (a *Authority) Leaf(t testing.TB, l Leaf) Pair {
	t.Helper()
	return must.Get(a.Sign(l))(t)
}

// Sign issues a certificate.
func (a *Authority) Sign(l Leaf) (Pair, error) {
	if l.Validity == (Validity{}) {
		l.Validity = a.validity
	}
	if l.Usage == nil {
		l.Usage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	}
	template := newTemplate(pkix.Name{CommonName: l.Name, Organization: l.Groups}, l.Validity)
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, l.Usage
	for _, host := range l.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, host)
	}
	pair, _, _, err := issue(template, a.X509, a.key)
	return pair, err
}
