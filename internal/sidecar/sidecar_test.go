package sidecar

import (
	"bytes"
	"crypto/x509"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestCertificateIsReusedAfterRestart checks that clients that read ca.crt before a restart trust the proxy after it.
func TestCertificateIsReusedAfterRestart(t *testing.T) {
	dir := t.TempDir()
	first, chain := must.Get2(loadOrGenerateCertificate(dir))(t)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	for _, name := range []string{"127.0.0.1", "localhost"} {
		if _, err := first.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name}); err != nil {
			t.Errorf("as %s: %v", name, err)
		}
	}
	second, secondChain, err := loadOrGenerateCertificate(dir)
	if err != nil || !bytes.Equal(chain, secondChain) || !first.Leaf.Equal(second.Leaf) {
		t.Errorf("the second certificate differs: %v", err)
	}
}
