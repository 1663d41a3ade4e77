package certs

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Leaf is what a certificate of a client or a server says.
type Leaf struct {
	Name string
	// Groups of a client, its organizations.
	Groups []string
	// Hosts that a server is called by: DNS names and addresses.
	Hosts []string
	// Usage is for clients and servers unless it is given.
	Usage []x509.ExtKeyUsage
	// Life is that of the authority unless it is given.
	Life Life
}

// Leaf is [Authority.Sign] for a test.
func (a *Authority) Leaf(t testing.TB, l Leaf) Pair {
	t.Helper()
	return must.Get(a.Sign(l))(t)
}

// Sign a certificate.
func (a *Authority) Sign(l Leaf) (Pair, error) {
	if l.Life == (Life{}) {
		l.Life = a.life
	}
	if l.Usage == nil {
		l.Usage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	}
	template := certificate(pkix.Name{CommonName: l.Name, Organization: l.Groups}, l.Life)
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
