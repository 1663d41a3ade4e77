// Package certs makes certificates for tests.
package certs

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

// Authority that signs certificates for as long as a test lasts.
type Authority struct {
	Pair
	X509 *x509.Certificate

	key  *ecdsa.PrivateKey
	life Life
}

// Pair is a certificate and its key, both in PEM.
type Pair struct{ Certificate, Key []byte }

// Life of a certificate, as seen from now.
type Life struct{ From, To time.Duration }

// Day is the life of what a test uses up in minutes.
var Day = For(24 * time.Hour)

// For a while from now on. Clocks may differ by a minute.
func For(while time.Duration) Life { return Life{-time.Minute, while} }

// New is [NewAuthority] for a test.
func New(t testing.TB, name string, life Life) *Authority {
	t.Helper()
	a, err := NewAuthority(name, life)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// NewAuthority of a name. What it signs is valid as long as itself.
func NewAuthority(name string, life Life) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificate(pkix.Name{CommonName: name}, life)
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
	return &Authority{Pair: pair, X509: parsed, key: key, life: life}, err
}

func certificate(subject pkix.Name, life Life) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: subject, NotBefore: now.Add(life.From), NotAfter: now.Add(life.To),
	}
}

func pairOf(der []byte, key *ecdsa.PrivateKey) (Pair, error) {
	private, err := x509.MarshalPKCS8PrivateKey(key)
	return Pair{Certificate: encoded("CERTIFICATE", der), Key: encoded("PRIVATE KEY", private)}, err
}

func encoded(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
