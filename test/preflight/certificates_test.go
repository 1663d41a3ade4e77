//go:build e2e

package preflight

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// authority signs serving certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

// life of a certificate, from now on.
type life struct{ from, to time.Duration }

const day = 24 * time.Hour

var (
	fresh     = life{-day, 90 * day}
	expired   = life{-90 * day, -day}
	nearlyOut = life{-90 * day, day}
)

func newAuthority(t *testing.T, l life) *authority {
	t.Helper()
	a := &authority{key: newKey(t)}
	template := certificate(t, "test CA", l)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	a.certificate, a.pem = sign(t, template, template, a.key, a.key)
	return a
}

// leaf for the names, as certificate and key.
func (a *authority) leaf(t *testing.T, l life, names ...string) (certificatePEM, keyPEM []byte) {
	t.Helper()
	key := newKey(t)
	template := certificate(t, "test leaf", l)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, name)
	}
	_, certificatePEM = sign(t, template, a.certificate, key, a.key)
	der := must.Get(x509.MarshalPKCS8PrivateKey(key))(t)
	return certificatePEM, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	return key
}

func certificate(t *testing.T, name string, l life) *x509.Certificate {
	t.Helper()
	serial := must.Get(rand.Int(rand.Reader, big.NewInt(1<<62)))(t)
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(l.from), NotAfter: time.Now().Add(l.to),
	}
}

func sign(t *testing.T, template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) (*x509.Certificate, []byte) {
	t.Helper()
	der := must.Get(x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer))(t)
	signed := must.Get(x509.ParseCertificate(der))(t)
	return signed, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
