package drivers

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// replaceAuthority by one of the user's own, as the page of certificates says: it goes into the Secret as the next one.
func (c *cluster) replaceAuthority(t *testing.T) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "a CA of the user's own"}, NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, block := range map[string]*pem.Block{"next.crt": {Type: "CERTIFICATE", Bytes: certificate}, "next.key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := commands(t, "certificates.md", "Replicas do the rest, in a few minutes and a week.")[0]
	c.run(t, "cd "+folder+" && "+strings.Replace(command, "secret claimbridge-ca ", "secret claimbridge-apiserver-ca ", 1))
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
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
