package webhook

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

// pair of a certificate and its key.
type pair struct {
	issued *x509.Certificate
	key    *ecdsa.PrivateKey
}

// newCA for a year.
func newCA(t *testing.T, name string) pair {
	t.Helper()
	return sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, KeyUsage: x509.KeyUsageCertSign}, nil)
}

// issue a certificate for a server.
func (p pair) issue(t *testing.T, host string) pair {
	t.Helper()
	return sign(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, &p)
}

// sign by another pair, or by itself.
func sign(t *testing.T, template *x509.Certificate, by *pair) pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template.SerialNumber, template.BasicConstraintsValid = big.NewInt(now.UnixNano()), true
	template.NotBefore, template.NotAfter = now.Add(-time.Minute), now.Add(365*24*time.Hour)
	if by == nil {
		by = &pair{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.issued, key.Public(), by.key)
	if err != nil {
		t.Fatal(err)
	}
	issued, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return pair{issued, key}
}

func (p pair) certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.issued.Raw})
}

func (p pair) privateKey(t *testing.T) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(p.key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}
