package certs

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"
)

// ca is a certificate with its key.
type ca struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// newCA generates a self-signed CA.
func newCA(name string, notBefore, notAfter time.Time) (*ca, error) {
	key, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("generate a CA key: %w", err)
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             notBefore,
		NotAfter:              notAfter,
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true, // it signs serving certificates, not other CAs
		KeyUsage:              x509.KeyUsageCertSign,
	}
	certificate, err := issue(template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("generate a CA certificate: %w", err)
	}
	return &ca{certificate, key}, nil
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

// issue issues a certificate with a random serial number.
func issue(
	template, parent *x509.Certificate, public crypto.PublicKey, signer crypto.Signer,
) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, signer)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// parseCA is the inverse of encode.
func parseCA(certificate, key []byte) (*ca, error) {
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	signer, ok := pair.PrivateKey.(crypto.Signer)
	switch {
	case !ok:
		return nil, errors.New("the key cannot sign")
	case !pair.Leaf.IsCA:
		return nil, errors.New("the certificate is not a CA certificate")
	}
	return &ca{pair.Leaf, signer}, nil
}

// encode returns the certificate and the key as PEM.
func (c *ca) encode() (certificate, key []byte, err error) {
	der, err := x509.MarshalPKCS8PrivateKey(c.key)
	if err != nil {
		return nil, nil, fmt.Errorf("write a CA key: %w", err)
	}
	return encodeCertificates(c.certificate), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// sign issues a certificate from a template, which has the public key, the names and the usages. It does not modify the
// template. The certificate expires no later than the CA.
func (c *ca) sign(
	template *x509.Certificate, notBefore, notAfter time.Time, addresses ...net.IP,
) (*x509.Certificate, error) {
	leaf := *template
	leaf.SerialNumber = nil
	leaf.Subject = pkix.Name{CommonName: "claimbridge"}
	leaf.BasicConstraintsValid = true
	leaf.NotBefore = notBefore
	leaf.NotAfter = slices.MinFunc([]time.Time{notAfter, c.certificate.NotAfter}, time.Time.Compare)
	leaf.IPAddresses = addresses
	signed, err := issue(&leaf, c.certificate, template.PublicKey, c.key)
	if err != nil {
		return nil, fmt.Errorf("sign a serving certificate: %w", err)
	}
	return signed, nil
}

// equals reports whether two CAs have the same certificate. Two nil CAs are equal.
func (c *ca) equals(other *ca) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.certificate.Equal(other.certificate)
}

// isValidAt reports whether the CA is valid at a time.
func (c *ca) isValidAt(now time.Time) bool {
	return c != nil && !now.Before(c.certificate.NotBefore) && now.Before(c.certificate.NotAfter)
}

// encodeCertificates returns certificates as PEM.
func encodeCertificates(certificates ...*x509.Certificate) []byte {
	var out bytes.Buffer
	for _, c := range certificates {
		out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}))
	}
	return out.Bytes()
}
