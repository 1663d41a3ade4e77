//go:build e2e

package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	servingcerts "github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// TestClientCertificates uses an API server that presents the client certificate of its admission configuration.
func TestClientCertificates(t *testing.T) {
	t.Parallel()
	i := install(t, "clients", config.Files)
	ca := certs.New(t, "ca", certs.Day)
	m := newSecretMount(t, servingCertificate(t, ca, i.dnsName()))
	i.setBundle(t, ca.Certificate)
	clientCA := filepath.Join(t.TempDir(), "ca.crt")
	writeFile(t, clientCA, cluster.clientCA.Certificate)
	r := i.startReplica(t, servingcerts.FilesInDir(m.folder), webhook.Options{
		ClientCAFile:       clientCA,
		ClientAllowedNames: []string{clientName},
	})
	otherNames := i.startReplica(t, servingcerts.FilesInDir(m.folder), webhook.Options{
		ClientCAFile:       clientCA,
		ClientAllowedNames: []string{"another-client"},
	})
	await.NoError(t, "readiness probes succeed without a client certificate", func() error {
		return i.service.checkReady(2)
	})
	pair := func(ca *certs.Authority, usage x509.ExtKeyUsage) []tls.Certificate {
		leaf := ca.Leaf(t, certs.Leaf{Name: clientName, Usage: []x509.ExtKeyUsage{usage}})
		c := must.Get(tls.X509KeyPair(leaf.Certificate, leaf.Key))(t)
		return []tls.Certificate{c}
	}
	if code, body := i.request(t, otherNames, "/validate",
		pair(cluster.clientCA, x509.ExtKeyUsageClientAuth)); code != http.StatusUnauthorized ||
		!strings.Contains(body, "not in the allowed list") {
		t.Errorf("a certificate with another name: got %d %s, want 401 and an error about the name", code, body)
	}
	otherNames.stop()
	await.NoError(t, "one replica is ready", func() error { return i.service.checkReady(1) })
	await.NoError(t, "the API server trusts the serving certificate", func() error { return i.convertOnce(t) })

	claims := cluster.dynamic.Resource(i.claims("v1")).Namespace(i.name)
	write := func(name string) error {
		_, err := claims.Create(t.Context(), i.newClaim(name), metav1.CreateOptions{})
		return err
	}
	// For admission, the API server presents its certificate.
	i.createClaim(t, "a")
	await.NoError(t, "a conversion, for which the API server has no certificate", func() error {
		// The API server needs a while to see the caBundle of the CRD.
		_, err := cluster.dynamic.Resource(i.claims("v1alpha1")).Namespace(i.name).Get(t.Context(), "a",
			metav1.GetOptions{})
		return err
	})

	tests := map[string]struct {
		certificates []tls.Certificate
		path         string
		code         int
		message      string
	}{
		"no certificate for admission": {
			nil, "/validate", http.StatusUnauthorized, "client certificate required",
		},
		"no certificate for conversion": {nil, "/convert", http.StatusBadRequest, ""},
		"no certificate for health":     {nil, "/readyz", http.StatusOK, ""},
		"a client certificate": {
			pair(cluster.clientCA, x509.ExtKeyUsageClientAuth),
			"/validate",
			http.StatusBadRequest,
			"",
		},
		"a certificate of another CA": {
			pair(ca, x509.ExtKeyUsageClientAuth), "/validate", http.StatusUnauthorized, "unknown authority",
		},
		"a certificate of another CA for conversion": {
			pair(ca, x509.ExtKeyUsageClientAuth), "/convert", http.StatusUnauthorized, "unknown authority",
		},
		"a serving certificate": {
			pair(cluster.clientCA, x509.ExtKeyUsageServerAuth),
			"/validate",
			http.StatusUnauthorized,
			"incompatible key usage",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code, body := i.request(t, r, test.path, test.certificates)
			if code != test.code || !strings.Contains(body, test.message) {
				t.Errorf("got %d %s, want %d and %q", code, body, test.code, test.message)
			}
		})
	}

	writeFile(t, clientCA, []byte("none"))
	otherCA := certs.New(t, "other", certs.Day)
	await.True(t, "the server rejects a file without certificates", func() bool {
		return strings.Contains(r.log.String(), "Cannot reload the CAs of clients, keeping the previous ones")
	})
	if err := write("b"); err != nil {
		t.Errorf("write while the file has no certificates: got %v, want no error", err)
	}
	writeFile(t, clientCA, otherCA.Certificate)
	await.NoError(t, "the server uses the new CA", func() error {
		err := write(fmt.Sprintf("c-%d", time.Now().UnixNano()))
		if err == nil || !strings.HasSuffix(err.Error(), "the server has asked for the client to provide credentials") {
			return fmt.Errorf("write with a certificate of the old CA: got %w, want an authentication error", err)
		}
		return nil
	})
}

// request sends a request without a body to a replica. Unless it is a health check, a caller that is authenticated gets
// status 400.
func (i *installation) request(t *testing.T, r *replica, path string,
	certificates []tls.Certificate,
) (code int, body string) {
	t.Helper()
	method := http.MethodPost
	if path == "/readyz" {
		method = http.MethodGet
	}
	request := must.Get(http.NewRequestWithContext(t.Context(), method, "https://"+r.Addr().String()+path, nil))(t)
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		Certificates: certificates, InsecureSkipVerify: true, //nolint:gosec // other tests check it
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(certificates) == 0 {
				return &tls.Certificate{}, nil
			}
			return &certificates[0], nil // even if the server does not list its CA
		},
	}}
	response := must.Get(transport.RoundTrip(request))(t)
	defer func() { _ = response.Body.Close() }()
	text := must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}
