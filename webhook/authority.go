package webhook

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

const (
	// caLifetime outlasts any process: the CA cannot be replaced without everybody who trusts it being told.
	caLifetime = 10 * 365 * 24 * time.Hour
	// leafLifetime is cert-manager's own default; the source asks for a new one after two thirds of it.
	leafLifetime = 7 * 24 * time.Hour
	// clockSkew between this machine and a caller that is forgiven.
	clockSkew = 5 * time.Minute
)

// authority is a CA whose key never leaves memory. It implements the Authority of cert-manager's server/tls. It is
// ready when it is made, and never rotates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a CA key: %w", err)
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "claimbridge in-memory CA"},
		NotBefore:             now.Add(-clockSkew),
		NotAfter:              now.Add(caLifetime),
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
	return &authority{certificate, key}, nil
}

// Run has nothing to do until it is told to stop.
func (a *authority) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// WatchRotation never posts anything, since the CA lives as long as the process.
func (a *authority) WatchRotation(chan<- struct{}) {}

// StopWatchingRotation has nothing to stop.
func (a *authority) StopWatchingRotation(chan<- struct{}) {}

// Sign a certificate for a template with public key, names and usages. The addresses of loopback are added, as the
// source that asks knows only of DNS names.
func (a *authority) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	leaf := *template
	now := time.Now()
	leaf.SerialNumber = serial
	leaf.Subject = pkix.Name{CommonName: "claimbridge"}
	leaf.BasicConstraintsValid = true
	leaf.NotBefore, leaf.NotAfter = now.Add(-clockSkew), now.Add(leafLifetime)
	if leaf.NotAfter.After(a.certificate.NotAfter) {
		leaf.NotAfter = a.certificate.NotAfter
	}
	leaf.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	der, err := x509.CreateCertificate(rand.Reader, &leaf, a.certificate, template.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("sign a serving certificate: %w", err)
	}
	return x509.ParseCertificate(der)
}

// pem of the CA certificate.
func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// newSerial is 128 random bits; RFC 5280 allows 20 bytes.
func newSerial() (*big.Int, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return nil, fmt.Errorf("make a serial number: %w", err)
	}
	return serial.Add(serial, big.NewInt(1)), nil
}
