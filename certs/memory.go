package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"time"
)

const (
	// memoryLifetime is longer than any process runs: this CA cannot be rotated, because nothing updates its clients.
	memoryLifetime = 10 * 365 * 24 * time.Hour
	// DefaultValidity is the validity of a serving certificate, as in cert-manager. The certificate is replaced after
	// two thirds of that.
	DefaultValidity = 7 * 24 * time.Hour
	// clockSkew is the tolerated difference between clocks. A certificate is valid from this long before it is signed.
	clockSkew = 5 * time.Minute
)

// memoryCA is a CA whose key never leaves memory. It implements cert-manager's tls.Authority and never rotates.
type memoryCA struct {
	*ca
	// onSign is called for each certificate that was signed.
	onSign func()
}

func newMemoryCA(onSign func()) (*memoryCA, error) {
	now := time.Now()
	generated, err := newCA("claimbridge in-memory CA", now.Add(-clockSkew), now.Add(memoryLifetime))
	if err != nil {
		return nil, err
	}
	return &memoryCA{generated, onSign}, nil
}

// Run returns when ctx is done. It does nothing else.
func (m *memoryCA) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// WatchRotation does nothing, because the CA never rotates.
func (m *memoryCA) WatchRotation(chan<- struct{}) {}

// StopWatchingRotation does nothing.
func (m *memoryCA) StopWatchingRotation(chan<- struct{}) {}

// Sign signs a certificate for a template with public key, names and usages. It adds the loopback addresses, because
// the DynamicSource that calls it has DNS names only.
func (m *memoryCA) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	leaf, err := m.signLeaf(template)
	if err != nil {
		return nil, err
	}
	m.onSign()
	return leaf, nil
}

func (m *memoryCA) signLeaf(template *x509.Certificate) (*x509.Certificate, error) {
	now := time.Now()
	return m.sign(template, now.Add(-clockSkew), now.Add(DefaultValidity), net.IPv4(127, 0, 0, 1), net.IPv6loopback)
}

// firstCertificate returns a certificate to serve until the first call of Sign. It is not counted as signed.
func (m *memoryCA) firstCertificate(names []string) (*tls.Certificate, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	leaf, err := m.signLeaf(&x509.Certificate{
		PublicKey:   key.Public(),
		DNSNames:    names,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}, nil
}
