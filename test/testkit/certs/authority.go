// Package certs issues certificates for tests.
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

// Authority is a certificate authority.
type Authority struct {
	Pair
	X509 *x509.Certificate

	key      *ecdsa.PrivateKey
	validity Validity
}

// Pair is a certificate and its key, both in PEM.
type Pair struct{ Certificate, Key []byte }

// Validity is the validity period of a certificate, relative to now.
type Validity struct{ NotBefore, NotAfter time.Duration }

// Day is the validity of certificates that must not expire during a test.
var Day = ValidFor(24 * time.Hour)

// ValidFor returns a validity that ends after a duration. It starts a minute ago, because clocks may differ.
func ValidFor(duration time.Duration) Validity {
	return Validity{NotBefore: -time.Minute, NotAfter: duration}
}

// New is [NewAuthority] for a test.
func New(t testing.TB, name string, validity Validity) *Authority {
	t.Helper()
	return must.Get(NewAuthority(name, validity))(t)
}

// NewAuthority creates a certificate authority. Certificates that it signs have the same validity.
func NewAuthority(name string, validity Validity) (*Authority, error) {
	template := newTemplate(pkix.Name{CommonName: name}, validity)
	template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
	a := &Authority{validity: validity}
	var err error
	a.Pair, a.X509, a.key, err = issue(template, template, nil)
	return a, err
}

// newTemplate returns a template for a certificate that is not an authority.
func newTemplate(subject pkix.Name, validity Validity) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber:          big.NewInt(now.UnixNano()),
		Subject:               subject,
		NotBefore:             now.Add(validity.NotBefore),
		NotAfter:              now.Add(validity.NotAfter),
		BasicConstraintsValid: true, // the certificate says whether it is an authority
	}
}

// issue creates a key and a certificate for it. The certificate is self-signed if signingKey is nil.
func issue(template, parent *x509.Certificate,
	signingKey *ecdsa.PrivateKey,
) (pair Pair, parsed *x509.Certificate, key *ecdsa.PrivateKey, err error) {
	if key, err = pki.GenerateECPrivateKey(pki.ECCurve256); err != nil {
		return pair, nil, nil, err
	}
	if pair.Key, err = pki.EncodePKCS8PrivateKey(key); err != nil {
		return pair, nil, nil, err
	}
	pair.Certificate, parsed, err = pki.SignCertificate(template, parent, key.Public(), cmp.Or(signingKey, key))
	return pair, parsed, key, err
}
