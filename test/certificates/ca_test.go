//go:build e2e

package certificates

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// testCA is a CA that a test keeps by hand.
type testCA struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newTestCA(t *testing.T, name string, notBefore time.Time, life time.Duration) *testCA {
	t.Helper()
	c, err := makeCA(name, notBefore, life)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func makeCA(name string, notBefore time.Time, life time.Duration) (*testCA, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: notBefore.Add(-time.Minute), NotAfter: notBefore.Add(life),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	certificate, err := sign(template, template, key, key)
	return &testCA{certificate, key}, err
}

func sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), by)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

func encode(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}

func (c *testCA) keyPEM(t *testing.T) []byte {
	t.Helper()
	key, err := encodeKey(c.key)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// pair of a certificate and its key, as files have them.
func (c *testCA) pair(t *testing.T, name string, usage x509.ExtKeyUsage) (certificate, key []byte) {
	t.Helper()
	certificate, key, err := c.makePair(name, usage)
	if err != nil {
		t.Fatal(err)
	}
	return certificate, key
}

func (c *testCA) makePair(name string, usage x509.ExtKeyUsage) (certificate, key []byte, err error) {
	return c.makePairUntil(name, usage, time.Now().Add(time.Hour))
}

func (c *testCA) makePairUntil(name string, usage x509.ExtKeyUsage, notAfter time.Time) (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	leaf, err := sign(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: notAfter, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}, c.certificate, private, c.key)
	if err != nil {
		return nil, nil, err
	}
	key, err = encodeKey(private)
	return encode(leaf), key, err
}
