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
	m := newMount(t, serving(t, ca, i.dnsName()))
	i.setBundle(t, ca.Certificate)
	clientCA := filepath.Join(t.TempDir(), "ca.crt")
	put(t, clientCA, cluster.clientCA.Certificate)
	r := i.startReplica(t, servingcerts.FilesInDir(m.folder), webhook.Options{
		ClientCAFile: clientCA,
		ClientNames:  []string{clientName},
	})
	named := i.startReplica(t, servingcerts.FilesInDir(m.folder), webhook.Options{
		ClientCAFile: clientCA,
		ClientNames:  []string{"somebody else"},
	})
	// for a kubelet without a certificate
	await.NoError(t, "both are ready", func() error { return i.service.isReady(2) })
	pair := func(ca *certs.Authority, usage x509.ExtKeyUsage) []tls.Certificate {
		leaf := ca.Leaf(t, certs.Leaf{Name: clientName, Usage: []x509.ExtKeyUsage{usage}})
		c := must.Get(tls.X509KeyPair(leaf.Certificate, leaf.Key))(t)
		return []tls.Certificate{c}
	}
	if code, body := i.request(t, named, "/validate",
		pair(cluster.clientCA, x509.ExtKeyUsageClientAuth)); code != http.StatusUnauthorized ||
		!strings.Contains(body, "not in the allowed list") {
		t.Errorf("a name that may not call: %d %s", code, body)
	}
	named.stop()
	await.NoError(t, "one is left", func() error { return i.service.isReady(1) })
	await.NoError(t, "it is trusted", func() error { return i.convertOnce(t) })

	claims := cluster.dynamic.Resource(i.claims("v1")).Namespace(i.name)
	write := func(name string) error {
		_, err := claims.Create(t.Context(), i.newClaim(name), metav1.CreateOptions{})
		return err
	}
	// the API server shows its certificate
	i.createClaim(t, "a")
	await.NoError(t, "a conversion, for which it has no certificate", func() error {
		// once it has heard of the bundle of the CRD
		_, err := cluster.dynamic.Resource(i.claims("v1alpha1")).Namespace(i.name).Get(t.Context(), "a",
			metav1.GetOptions{})
		return err
	})

	tests := map[string]struct {
		certificates []tls.Certificate
		path         string
		code         int
		says         string
	}{
		"no certificate for admission": {
			nil, "/validate", http.StatusUnauthorized, "client certificate required",
		},
		"no certificate for conversion": {nil, "/convert", http.StatusBadRequest, ""},
		"no certificate for health":     {nil, "/readyz", http.StatusOK, ""},
		"the right one": {
			pair(cluster.clientCA, x509.ExtKeyUsageClientAuth),
			"/validate",
			http.StatusBadRequest,
			"",
		},
		"one by another CA": {
			pair(ca, x509.ExtKeyUsageClientAuth), "/validate", http.StatusUnauthorized, "unknown authority",
		},
		"one by another CA for conversion": {
			pair(ca, x509.ExtKeyUsageClientAuth), "/convert", http.StatusUnauthorized, "unknown authority",
		},
		"one of a server, which is no client": {
			pair(cluster.clientCA, x509.ExtKeyUsageServerAuth),
			"/validate",
			http.StatusUnauthorized,
			"incompatible key usage",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code, body := i.request(t, r, test.path, test.certificates)
			if code != test.code || !strings.Contains(body, test.says) {
				t.Errorf("%d %s", code, body)
			}
		})
	}

	put(t, clientCA, []byte("none")) // is not taken
	other := certs.New(t, "other", certs.Day)
	await.True(t, "the server looks at it", func() bool {
		return strings.Contains(r.log.String(), "Cannot reload the CAs of clients, keeping the previous ones")
	})
	if err := write("b"); err != nil {
		t.Errorf("a spoilt file replaced a good one: %v", err)
	}
	put(t, clientCA, other.Certificate)
	await.NoError(t, "the new CA is taken", func() error {
		err := write(fmt.Sprintf("c-%d", time.Now().UnixNano()))
		if err == nil || !strings.HasSuffix(err.Error(), "the server has asked for the client to provide credentials") {
			return fmt.Errorf("a write with a certificate by the old one: %w", err)
		}
		return nil
	})
}

// request without a body: a bad one, unless the caller is not let in or asks for health.
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
		Certificates: certificates, InsecureSkipVerify: true, //nolint:gosec // other tests look at that
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(certificates) == 0 {
				return &tls.Certificate{}, nil
			}
			return &certificates[0], nil // also when the server says that it does not want it
		},
	}}
	response := must.Get(transport.RoundTrip(request))(t)
	defer func() { _ = response.Body.Close() }()
	text := must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}
