package authority

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"time"
)

const (
	// memoryLifetime outlasts any process: this CA cannot be replaced without everybody who trusts it hearing of it.
	memoryLifetime = 10 * 365 * 24 * time.Hour
	// DefaultValidity of a leaf is cert-manager's own default; whoever asks for leaves asks again
	// after two thirds of it.
	DefaultValidity = 7 * 24 * time.Hour
	// clockSkew between this machine and a caller that is forgiven.
	clockSkew = 5 * time.Minute
)

// Memory is a CA whose key never leaves memory. It is ready when it is made, and never rotates.
type Memory struct {
	ca     *ca
	signed func()
}

// NewMemory makes a CA. The function, if there is one, hears of each leaf that was signed.
func NewMemory(signed func()) (*Memory, error) {
	now := time.Now()
	made, err := newCA("claimbridge in-memory CA", now.Add(-clockSkew), now.Add(memoryLifetime))
	if err != nil {
		return nil, err
	}
	if signed == nil {
		signed = func() {}
	}
	return &Memory{made, signed}, nil
}

// Run has nothing to do until it is stopped.
func (m *Memory) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// WatchRotation never posts anything, since the CA lives as long as the process.
func (m *Memory) WatchRotation(chan<- struct{}) {}

// StopWatchingRotation has nothing to stop.
func (m *Memory) StopWatchingRotation(chan<- struct{}) {}

// Sign a certificate for a template with public key, names and usages. The addresses of loopback are added, as the
// source that asks knows only of DNS names.
func (m *Memory) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	now := time.Now()
	leaf, err := m.ca.sign(template, now.Add(-clockSkew), now.Add(DefaultValidity), net.IPv4(127, 0, 0, 1),
		net.IPv6loopback)
	if err != nil {
		return nil, err
	}
	m.signed()
	return leaf, nil
}

// Placeholder is a certificate that nobody trusts, for a server that has none yet.
func Placeholder() (*tls.Certificate, error) {
	memory, err := NewMemory(nil)
	if err != nil {
		return nil, err
	}
	key := memory.ca.key // which signs nothing else
	leaf, err := memory.Sign(&x509.Certificate{PublicKey: key.Public(), DNSNames: []string{"placeholder.invalid"}})
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

// CA certificate.
func (m *Memory) CA() *x509.Certificate { return m.ca.certificate }

// PEM of the CA certificate.
func (m *Memory) PEM() []byte { return encode(m.ca.certificate) }
