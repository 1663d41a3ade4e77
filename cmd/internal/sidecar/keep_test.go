package sidecar

import (
	"bytes"
	"crypto/x509"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A proxy that was restarted is the same server for clients that have read the certificate before.
func TestTheIdentityOfTheSidecarIsKept(t *testing.T) {
	folder := t.TempDir()
	first, chain := must.Get2(identity(folder))(t)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	for _, name := range []string{"127.0.0.1", "localhost"} {
		if _, err := first.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name}); err != nil {
			t.Errorf("as %s: %v", name, err)
		}
	}
	second, again, err := identity(folder)
	if err != nil || !bytes.Equal(chain, again) || !first.Leaf.Equal(second.Leaf) {
		t.Errorf("it is another one: %v", err)
	}
}
