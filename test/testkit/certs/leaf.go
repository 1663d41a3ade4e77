package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"slices"
	"testing"
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
	pair, err := a.Sign(l)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// Issue a certificate for a client of this name, or a server that is also called by the DNS names and at 127.0.0.1.
func (a *Authority) Issue(name string, dns ...string) (Pair, error) {
	return a.Sign(Leaf{Name: name, Hosts: append([]string{"127.0.0.1"}, dns...)})
}

// IssueTo is like Issue, for a client that is also a member of groups, its organizations, or a server at other addresses.
func (a *Authority) IssueTo(subject pkix.Name, addresses []net.IP, dns ...string) (Pair, error) {
	hosts := slices.Clone(dns)
	for _, address := range addresses {
		hosts = append(hosts, address.String())
	}
	return a.Sign(Leaf{Name: subject.CommonName, Groups: subject.Organization, Hosts: hosts})
}

// Sign a certificate.
func (a *Authority) Sign(l Leaf) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	if l.Life == (Life{}) {
		l.Life = a.life
	}
	if l.Usage == nil {
		l.Usage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	}
	template := certificate(pkix.Name{CommonName: l.Name, Organization: l.Groups}, l.Life)
	template.BasicConstraintsValid = true // it is no CA, and says so
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, l.Usage
	for _, host := range l.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, host)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.X509, key.Public(), a.key)
	if err != nil {
		return Pair{}, err
	}
	return pairOf(der, key)
}
