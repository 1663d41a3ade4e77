//go:build node && aggregated

package drivers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// replaceAuthority by one of the user's own, as the page of certificates says: it goes into the Secret as the next one.
func (c *cluster) replaceAuthority(t *testing.T) *x509.CertPool {
	t.Helper()
	next, err := plane.NewAuthorityFor("a CA of the user's own", 365*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string][]byte{"next.crt": next.Certificate, "next.key": next.Key} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := commands(t, "certificates.md", "Replicas do the rest, in a few minutes and a week.")[0]
	c.run(t, "cd "+folder+" && "+strings.Replace(command, "secret claimbridge-ca ", "secret claimbridge-apiserver-ca ", 1))
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(next.Certificate)
	return trusted
}

// served by every pod is a certificate that is trusted, for the name of the Service.
func (c *cluster) served(t *testing.T, trusted *x509.CertPool) time.Duration {
	t.Helper()
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: trusted, ServerName: "claimbridge-apiserver.claimbridge-system.svc", MinVersion: tls.VersionTLS13}}
	return c.eventually(t, "every pod serves a certificate by the new CA", func() string {
		addresses := c.servers(t, ".status.podIP")
		if len(addresses) != 2 {
			return strings.Join(addresses, " ")
		}
		for _, address := range addresses {
			ctx, cancel := context.WithTimeout(t.Context(), inFlight)
			connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(address, "8443"))
			cancel()
			if err != nil {
				return err.Error()
			}
			_ = connection.Close()
		}
		return ""
	})
}
