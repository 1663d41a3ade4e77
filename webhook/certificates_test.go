package webhook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	certmetrics "sigs.k8s.io/controller-runtime/pkg/certwatcher/metrics"

	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/certificates"
)

// pair of PEM blocks, signed by a CA.
func pair(t *testing.T, ca *authority.Memory) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := ca.Sign(&x509.Certificate{PublicKey: private.Public(), DNSNames: []string{"localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// served gives the serial number of the certificate that a handshake shows.
func (r *running) served(t *testing.T) string {
	t.Helper()
	connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.pool, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	return connection.ConnectionState().PeerCertificates[0].SerialNumber.String()
}

func serialOf(t *testing.T, certificate []byte) string {
	t.Helper()
	block, _ := pem.Decode(certificate)
	parsed, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.SerialNumber.String()
}

func readErrors(t *testing.T) float64 {
	t.Helper()
	var metric dto.Metric
	if err := certmetrics.ReadCertificateErrors.Write(&metric); err != nil {
		t.Fatal(err)
	}
	return metric.GetCounter().GetValue()
}

func TestCertificateFilesAreReloaded(t *testing.T) {
	ca, err := authority.NewMemory(nil)
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	certFile, keyFile := filepath.Join(directory, "tls.crt"), filepath.Join(directory, "tls.key")
	firstCert, firstKey := pair(t, ca)
	secondCert, secondKey := pair(t, ca)
	write(t, certFile, firstCert)
	write(t, keyFile, firstKey)
	r := run(t, Options{Certificates: certificates.Files{CertFile: certFile, KeyFile: keyFile}})
	r.pool.AddCert(ca.CA())
	if got, want := r.served(t), serialOf(t, firstCert); got != want {
		t.Fatalf("serves %s, want the first certificate %s", got, want)
	}

	broken := map[string]struct {
		file    string
		content []byte
	}{
		"half of a certificate":         {certFile, secondCert[:len(secondCert)/2]},
		"a certificate without its key": {certFile, secondCert},
		"an empty certificate":          {certFile, nil},
		"a key of somebody else":        {keyFile, secondKey},
		"half of a key":                 {keyFile, firstKey[:20]},
	}
	for name, change := range broken {
		before := readErrors(t)
		write(t, change.file, change.content)
		waitFor(t, func() bool { return readErrors(t) > before })
		if got, want := r.served(t), serialOf(t, firstCert); got != want {
			t.Errorf("after %s: serves %s, want still the first certificate %s", name, got, want)
		}
		write(t, keyFile, firstKey)
		write(t, certFile, firstCert)
	}

	write(t, certFile, secondCert)
	write(t, keyFile, secondKey)
	want := serialOf(t, secondCert)
	waitFor(t, func() bool { return r.served(t) == want })
	if got := get(t, http.DefaultClient, "http://"+r.MetricsAddr().String()+"/metrics"); !strings.Contains(got.Body, "certwatcher_read_certificate_errors_total ") {
		t.Error("the metrics lack what the watcher of files counts")
	}
	http.DefaultClient.CloseIdleConnections()
	if got := r.certificateExpiry(); got < float64(time.Now().Unix()) {
		t.Errorf("the metric of expiry says %v", got)
	}
}

// TestAMountedSecretIsReloaded swaps the files as a kubelet does: a link to a directory is replaced in one step, then the
// old directory goes.
func TestAMountedSecretIsReloaded(t *testing.T) {
	ca, err := authority.NewMemory(nil)
	if err != nil {
		t.Fatal(err)
	}
	mount := t.TempDir()
	swap := func(version string) (certificate []byte) {
		certificate, key := pair(t, ca)
		old, _ := os.Readlink(filepath.Join(mount, "..data"))
		if err := os.Mkdir(filepath.Join(mount, version), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(mount, version, "tls.crt"), certificate)
		write(t, filepath.Join(mount, version, "tls.key"), key)
		if err := errors.Join(
			os.Symlink(version, filepath.Join(mount, "..data_tmp")),
			os.Rename(filepath.Join(mount, "..data_tmp"), filepath.Join(mount, "..data")),
		); err != nil {
			t.Fatal(err)
		}
		if old != "" {
			if err := os.RemoveAll(filepath.Join(mount, old)); err != nil {
				t.Fatal(err)
			}
		}
		return certificate
	}
	swap("..1")
	for _, name := range []string{"tls.crt", "tls.key"} {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(mount, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := run(t, Options{Certificates: certificates.Folder(mount)})
	r.pool.AddCert(ca.CA())
	for _, version := range []string{"..2", "..3"} {
		want := serialOf(t, swap(version))
		waitFor(t, func() bool { return r.served(t) == want })
	}
}

func TestTheAuthorityInMemory(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.crt")
	r := run(t, Options{Certificates: certificates.InMemory{CAFile: ca, DNSNames: []string{"localhost", "claimbridge.kube-system.svc"}}})
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "claimbridge.kube-system.svc"} {
		connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.pool, ServerName: name, MinVersion: tls.VersionTLS12})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		leaf := connection.ConnectionState().PeerCertificates[0]
		if life := time.Until(leaf.NotAfter); life > authority.DefaultValidity || life < authority.DefaultValidity-time.Minute || leaf.IsCA {
			t.Errorf("%s: lives for %s, CA %v", name, life, leaf.IsCA)
		}
		_ = connection.Close()
	}
	if _, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.pool, ServerName: "other.example.com", MinVersion: tls.VersionTLS12}); err == nil {
		t.Error("the certificate is good for any name")
	}
	if _, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", MinVersion: tls.VersionTLS12}); err == nil {
		t.Error("the certificate is trusted without its CA")
	}
	info, err := os.Stat(ca)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode of the CA file is %v: %v", info.Mode(), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(ca), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the CA file: %v %v", left, err)
	}
}
