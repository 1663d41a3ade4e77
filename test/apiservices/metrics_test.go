//go:build e2e

package apiservices

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Metrics are for who has the role of the manifests, over the certificate that the Secret names: what a ServiceMonitor has.
func (c *cluster) testMetrics(t *testing.T) {
	c.run(t, "kubectl create serviceaccount prometheus")
	token := strings.TrimSpace(c.run(t, "kubectl create token prometheus"))
	ca, err := base64.StdEncoding.DecodeString(c.run(t, `kubectl -n claimbridge-system get secret claimbridge-apiserver-ca -o 'jsonpath={.data.ca\.crt}'`))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "claimbridge-apiserver.claimbridge-system.svc"}}}
	scrape := func(token string) (code int, text string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://127.0.0.1:%d/metrics", c.port), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	if code, text := scrape(token); code != http.StatusForbidden {
		t.Errorf("without a right: %d %.200s", code, text)
	}
	// Another account, since the answer about the first one is remembered for some seconds.
	c.run(t, "kubectl create serviceaccount scraper && kubectl create clusterrolebinding scraper --clusterrole=claimbridge-apiserver-metrics-reader --serviceaccount=default:scraper")
	c.await(t, "kubectl auth can-i get /metrics --as=system:serviceaccount:default:scraper")
	code, text := scrape(strings.TrimSpace(c.run(t, "kubectl create token scraper")))
	if code != http.StatusOK {
		t.Fatalf("with the right: %d %.200s", code, text)
	}
	for _, name := range []string{"claimbridge_apiserver_requests_total", "claimbridge_apiserver_store_requests_total", "claimbridge_apiserver_version_conflict", "claimbridge_apiserver_ca_bundle_mismatch", "claimbridge_build_info"} {
		if !strings.Contains(text, "\n"+name+"{") {
			t.Errorf("there is no %s, for which the page has an alert or a use", name)
		}
	}
}
