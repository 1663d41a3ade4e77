package plane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Authority that signs certificates for as long as a test lasts.
type Authority struct {
	Pair

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	life        time.Duration
}

// Pair is a certificate and its key, both in PEM.
type Pair struct{ Certificate, Key []byte }

// lifetime of what a test uses up in minutes.
const lifetime = 24 * time.Hour

// NewAuthority of a name, for a day.
func NewAuthority(name string) (*Authority, error) { return NewAuthorityFor(name, lifetime) }

// NewAuthorityFor is NewAuthority for as long as its certificate and those that it signs are valid.
func NewAuthorityFor(name string, life time.Duration) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificate(name, life)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	pair, err := pairOf(der, key)
	return &Authority{Pair: pair, certificate: parsed, key: key, life: life}, err
}

// Issue a certificate for a client of this name, or a server that is also called by the DNS names and at 127.0.0.1.
func (a *Authority) Issue(name string, dns ...string) (Pair, error) {
	return a.IssueTo(pkix.Name{CommonName: name}, []net.IP{net.IPv4(127, 0, 0, 1)}, dns...)
}

// IssueTo is like Issue, for a client that is also a member of groups, its organizations, or a server at other addresses.
func (a *Authority) IssueTo(subject pkix.Name, addresses []net.IP, dns ...string) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	template := certificate("", a.life)
	template.Subject = subject
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	template.DNSNames, template.IPAddresses = dns, addresses
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return Pair{}, err
	}
	return pairOf(der, key)
}

func pairOf(certificate []byte, key *ecdsa.PrivateKey) (Pair, error) {
	private, err := x509.MarshalPKCS8PrivateKey(key)
	return Pair{Certificate: encoded("CERTIFICATE", certificate), Key: encoded("PRIVATE KEY", private)}, err
}

func certificate(name string, life time.Duration) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Minute), NotAfter: now.Add(life),
	}
}

func encoded(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
