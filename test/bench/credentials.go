package main

import (
	"crypto/x509"
	"os"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

// credentials are the one certificate that all servers present.
type credentials struct {
	// dir has tls.crt and tls.key.
	dir string
	// pem of its authority.
	pem  []byte
	pool *x509.CertPool
}

func newCredentials(dir string) (*credentials, error) {
	authority, err := certs.NewAuthority("bench", certs.Day)
	if err != nil {
		return nil, err
	}
	pair, err := authority.Issue("bench", "localhost", "*.default.svc")
	if err != nil {
		return nil, err
	}
	c := &credentials{dir: dir, pool: x509.NewCertPool(), pem: authority.Certificate}
	c.pool.AppendCertsFromPEM(c.pem)
	if err := os.WriteFile(filepath.Join(dir, "tls.crt"), pair.Certificate, 0o600); err != nil {
		return nil, err
	}
	return c, os.WriteFile(filepath.Join(dir, "tls.key"), pair.Key, 0o600)
}
