package certs

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The certificate in memory is available before Start is called, and after Start has signed another one.
func TestInMemory(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.crt")
	source := must.Get(InMemory{CAFile: ca, DNSNames: []string{"localhost", "claimbridge.kube-system.svc"}}.
		Open(logr.Discard()))(t)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(must.Get(os.ReadFile(ca))(t)) {
		t.Fatal("no CA in the file")
	}
	first := must.Get(source.GetCertificate(&tls.ClientHelloInfo{}))(t)
	checkInMemory(t, source, pool)
	go func() { _ = source.Start(t.Context()) }()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if next := must.Get(source.GetCertificate(&tls.ClientHelloInfo{}))(t); next != first {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no other certificate was signed")
		}
	}
	checkInMemory(t, source, pool)

	info, err := os.Stat(ca)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode of the CA file is %v: %v", info.Mode(), err)
	}
	if temporary, err := filepath.Glob(filepath.Join(filepath.Dir(ca), ".*")); err != nil || len(temporary) > 0 {
		t.Errorf("temporary files remain: %v %v", temporary, err)
	}
}

func checkInMemory(t *testing.T, source *Source, pool *x509.CertPool) {
	t.Helper()
	listener := must.Get(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		GetCertificate: source.GetCertificate, MinVersion: tls.VersionTLS12,
	}))(t)
	defer func() { _ = listener.Close() }()
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func(connection net.Conn) {
				_ = connection.(*tls.Conn).Handshake()
				_ = connection.Close()
			}(connection)
		}
	}()
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "claimbridge.kube-system.svc"} {
		connection, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{
			RootCAs: pool, ServerName: name, MinVersion: tls.VersionTLS12,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		leaf := connection.ConnectionState().PeerCertificates[0]
		validity := time.Until(leaf.NotAfter)
		if validity > DefaultValidity || validity < DefaultValidity-time.Minute || leaf.IsCA {
			t.Errorf("%s: valid for %s, CA %v", name, validity, leaf.IsCA)
		}
		_ = connection.Close()
	}
	if _, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{
		RootCAs: pool, ServerName: "other.example.com", MinVersion: tls.VersionTLS12,
	}); err == nil {
		t.Error("the certificate is valid for an unrelated name")
	}
}

func TestOpenErrors(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("HOME", t.TempDir())
	tests := map[string]struct {
		source interface {
			Open(log logr.Logger) (*Source, error)
		}
		want string
	}{
		"missing certificate files": {FilesInDir(t.TempDir()), "read the serving certificate"},
		"a Secret without a cluster": {
			InSecret{Namespace: "a", Name: "b"},
			"requires a cluster (set a kubeconfig)",
		},
		"a CA file in a missing directory": {
			InMemory{CAFile: filepath.Join(t.TempDir(), "none", "ca.crt")},
			"write the CA",
		},
		"a CA file that is a directory": {InMemory{CAFile: t.TempDir()}, "not a regular file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := test.source.Open(logr.Discard()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// A source collects all of its metrics.
func TestSourceCollectsMetrics(t *testing.T) {
	source := must.Get(InMemory{}.Open(logr.Discard()))(t)
	registry := prometheus.NewRegistry()
	registry.MustRegister(source)
	families := must.Get(registry.Gather())(t)
	var names []string
	for _, family := range families {
		names = append(names, family.GetName())
	}
	want := "claimbridge_ca_not_after_timestamp_seconds claimbridge_certificate_changes_total"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
