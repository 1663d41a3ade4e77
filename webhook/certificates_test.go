package webhook

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/certificates"
)

func TestTheAuthorityInMemory(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.crt")
	r := run(t, Options{
		Certificates: certificates.InMemory{CAFile: ca, DNSNames: []string{"localhost", "claimbridge.kube-system.svc"}},
	})
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "claimbridge.kube-system.svc"} {
		connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{
			RootCAs: r.pool, ServerName: name, MinVersion: tls.VersionTLS12,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		leaf := connection.ConnectionState().PeerCertificates[0]
		life := time.Until(leaf.NotAfter)
		if life > authority.DefaultValidity || life < authority.DefaultValidity-time.Minute || leaf.IsCA {
			t.Errorf("%s: lives for %s, CA %v", name, life, leaf.IsCA)
		}
		_ = connection.Close()
	}
	if _, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{
		RootCAs: r.pool, ServerName: "other.example.com", MinVersion: tls.VersionTLS12,
	}); err == nil {
		t.Error("the certificate is good for any name")
	}
	info, err := os.Stat(ca)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode of the CA file is %v: %v", info.Mode(), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(ca), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the CA file: %v %v", left, err)
	}
}
