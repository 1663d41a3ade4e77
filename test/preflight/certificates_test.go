//go:build e2e

package preflight

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

const day = 24 * time.Hour

var (
	fresh     = certs.Life{From: -day, To: 90 * day}
	expired   = certs.Life{From: -90 * day, To: -day}
	nearlyOut = certs.Life{From: -90 * day, To: day}
)

func newAuthority(t *testing.T, life certs.Life) *certs.Authority {
	t.Helper()
	return certs.New(t, "test CA", life)
}

// leaf for the names, as certificate and key.
func leaf(t *testing.T, ca *certs.Authority, life certs.Life, names ...string) (certificate, key []byte) {
	t.Helper()
	pair := ca.Leaf(t, certs.Leaf{Name: "test leaf", Hosts: names, Life: life, Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return pair.Certificate, pair.Key
}
