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

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// TestClientCertificates has an API server that shows one, as its admission configuration says, where it has one.
func TestClientCertificates(t *testing.T) {
	t.Parallel()
	i := install(t, "clients", config.Files)
	ca := newTestCA(t, "ca", time.Now(), day)
	certificate, key := ca.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
	m := newMount(t, map[string][]byte{"tls.crt": certificate, "tls.key": key})
	i.setBundle(t, encode(ca.certificate))
	clientCA := filepath.Join(t.TempDir(), "ca.crt")
	put(t, clientCA, encode(cluster.clientCA.certificate))
	r := i.startReplica(t, webhook.Options{CertDir: m.folder, ClientCAFile: clientCA, ClientNames: []string{clientName}})
	named := i.startReplica(t, webhook.Options{CertDir: m.folder, ClientCAFile: clientCA, ClientNames: []string{"somebody else"}})
	await(t, "both are ready", func() bool { return i.service.isReady(2) }) // for a kubelet without a certificate
	right, err := tls.X509KeyPair(cluster.clientCA.pair(t, clientName, x509.ExtKeyUsageClientAuth))
	if err != nil {
		t.Fatal(err)
	}
	if code, body := i.request(t, named, "/validate", []tls.Certificate{right}); code != http.StatusUnauthorized || !strings.Contains(body, "not in the allowed list") {
		t.Errorf("a name that may not call: %d %s", code, body)
	}
	named.stop()
	await(t, "one is left", func() bool { return i.service.isReady(1) })
	await(t, "it is trusted", func() bool { return i.convertOnce(t) == nil })

	claims := cluster.dynamic.Resource(i.claims("v1")).Namespace(i.name)
	write := func(name string) error {
		_, err := claims.Create(t.Context(), i.newClaim(name), metav1.CreateOptions{})
		return err
	}
	i.createClaim(t, "a") // the API server shows its certificate
	if _, err := cluster.dynamic.Resource(i.claims("v1alpha1")).Namespace(i.name).Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("the API server has no certificate for conversions: %v", err)
	}

	pair := func(ca *testCA, usage x509.ExtKeyUsage) []tls.Certificate {
		c, err := tls.X509KeyPair(ca.pair(t, clientName, usage))
		if err != nil {
			t.Fatal(err)
		}
		return []tls.Certificate{c}
	}
	tests := map[string]struct {
		certificates []tls.Certificate
		path         string
		code         int
		says         string
	}{
		"no certificate for admission":        {nil, "/validate", http.StatusUnauthorized, "a client certificate is needed here"},
		"no certificate for conversion":       {nil, "/convert", http.StatusBadRequest, ""},
		"no certificate for health":           {nil, "/readyz", http.StatusOK, ""},
		"the right one":                       {pair(cluster.clientCA, x509.ExtKeyUsageClientAuth), "/validate", http.StatusBadRequest, ""},
		"one by another CA":                   {pair(ca, x509.ExtKeyUsageClientAuth), "/validate", http.StatusUnauthorized, "unknown authority"},
		"one by another CA for conversion":    {pair(ca, x509.ExtKeyUsageClientAuth), "/convert", http.StatusUnauthorized, "unknown authority"},
		"one of a server, which is no client": {pair(cluster.clientCA, x509.ExtKeyUsageServerAuth), "/validate", http.StatusUnauthorized, "incompatible key usage"},
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
	other := newTestCA(t, "other", time.Now(), day)
	time.Sleep(3 * time.Second)
	if err := write("b"); err != nil {
		t.Errorf("a spoilt file replaced a good one: %v", err)
	}
	put(t, clientCA, encode(other.certificate))
	await(t, "the new CA is taken", func() bool {
		err := write(fmt.Sprintf("c-%d", time.Now().UnixNano()))
		return err != nil && strings.HasSuffix(err.Error(), "the server has asked for the client to provide credentials")
	})
}

// request without a body: a bad one, unless the caller is not let in or asks for health.
func (i *installation) request(t *testing.T, r *replica, path string, certificates []tls.Certificate) (code int, body string) {
	t.Helper()
	method := http.MethodPost
	if path == "/readyz" {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(t.Context(), method, "https://"+r.Addr().String()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		Certificates: certificates, InsecureSkipVerify: true, //nolint:gosec // other tests look at that
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(certificates) == 0 {
				return &tls.Certificate{}, nil
			}
			return &certificates[0], nil // also when the server says that it does not want it
		},
	}}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
