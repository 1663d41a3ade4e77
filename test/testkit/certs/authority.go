// Package certs makes certificates for tests.
package certs

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"

	"github.com/cert-manager/cert-manager/pkg/util/pki"

	"github.com/claimbridge/claimbridge/test/testkit/must"
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

// Life is the validity of a certificate, relative to now.
type Life struct{ From, To time.Duration }

// Day is for certificates that must not expire during a test.
var Day = For(24 * time.Hour)

// For returns a validity from a minute ago, because clocks may differ, to a time from now.
func For(duration time.Duration) Life { return Life{-time.Minute, duration} }

// New is [NewAuthority] for a test.
func New(t testing.TB, name string, life Life) *Authority {
	t.Helper()
	return must.Get(NewAuthority(name, life))(t)
}

// NewAuthority creates a certificate authority. Certificates that it signs have the same validity.
func NewAuthority(name string, life Life) (*Authority, error) {
	template := certificate(pkix.Name{CommonName: name}, life)
	template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
	a := &Authority{life: life}
	var err error
	a.Pair, a.X509, a.key, err = issue(template, template, nil)
	return a, err
}

func certificate(subject pkix.Name, life Life) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber:          big.NewInt(now.UnixNano()),
		Subject:               subject,
		NotBefore:             now.Add(life.From),
		NotAfter:              now.Add(life.To),
		BasicConstraintsValid: true, // which says as well who is no CA
	}
}

// issue creates a key and a certificate for it, signed with the key by, or with the new one if by is nil.
func issue(template, parent *x509.Certificate,
	by *ecdsa.PrivateKey,
) (pair Pair, parsed *x509.Certificate, key *ecdsa.PrivateKey, err error) {
	if key, err = pki.GenerateECPrivateKey(pki.ECCurve256); err != nil {
		return pair, nil, nil, err
	}
	if pair.Key, err = pki.EncodePKCS8PrivateKey(key); err != nil {
		return pair, nil, nil, err
	}
	pair.Certificate, parsed, err = pki.SignCertificate(template, parent, key.Public(), cmp.Or(by, key))
	return pair, parsed, key, err
}
