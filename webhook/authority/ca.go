package authority

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
	"math/big"
	"net"
	"time"
)

// ca is a certificate with its key.
type ca struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// newCA signs itself.
func newCA(name string, notBefore, notAfter time.Time) (*ca, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a CA key: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             notBefore,
		NotAfter:              notAfter,
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true, // it signs servers, no other authorities
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make a CA certificate: %w", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the CA certificate: %w", err)
	}
	return &ca{certificate, key}, nil
}

// parseCA reads what encode wrote.
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
		return nil, errors.New("the certificate is not one of a CA")
	}
	return &ca{pair.Leaf, signer}, nil
}

// encode certificate and key as PEM.
func (c *ca) encode() (certificate, key []byte, err error) {
	der, err := x509.MarshalPKCS8PrivateKey(c.key)
	if err != nil {
		return nil, nil, fmt.Errorf("write a CA key: %w", err)
	}
	return encode(c.certificate), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// sign a leaf for a template with public key, names and usages, which is not touched. It ends no later than the CA.
func (c *ca) sign(template *x509.Certificate, notBefore, notAfter time.Time, addresses ...net.IP) (*x509.Certificate, error) {
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	leaf := *template
	leaf.SerialNumber = serial
	leaf.Subject = pkix.Name{CommonName: "claimbridge"}
	leaf.BasicConstraintsValid = true
	leaf.NotBefore, leaf.NotAfter = notBefore, earlier(notAfter, c.certificate.NotAfter)
	leaf.IPAddresses = addresses
	der, err := x509.CreateCertificate(rand.Reader, &leaf, c.certificate, template.PublicKey, c.key)
	if err != nil {
		return nil, fmt.Errorf("sign a serving certificate: %w", err)
	}
	return x509.ParseCertificate(der)
}

// same CA as another one; none is the same as none.
func (c *ca) same(other *ca) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.certificate.Equal(other.certificate)
}

// lives reports whether a verifier whose clock says now accepts the CA.
func (c *ca) lives(now time.Time) bool {
	return c != nil && !now.Before(c.certificate.NotBefore) && now.Before(c.certificate.NotAfter)
}

// encode certificates as PEM.
func encode(certificates ...*x509.Certificate) []byte {
	var out bytes.Buffer
	for _, c := range certificates {
		out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}))
	}
	return out.Bytes()
}

// newSerial is 128 random bits; RFC 5280 allows 20 bytes.
func newSerial() (*big.Int, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return nil, fmt.Errorf("make a serial number: %w", err)
	}
	return serial.Add(serial, big.NewInt(1)), nil
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
