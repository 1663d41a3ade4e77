//go:build e2e

package install

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Only accounts with the role for readers can read metrics. The server authorizes them with its own account, and
// Prometheus verifies the server with the Secret and the name in the monitor.
func (l *life) metrics(t *testing.T) {
	c, server := l.cluster, l.server
	ca, err := base64.StdEncoding.DecodeString(c.Kubectl(t, nil, "get", "secret", "claimbridge-ca", "-n", namespace,
		"-o", `jsonpath={.data.ca\.crt}`))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(ca) {
		t.Fatal("the Secret has no CA")
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: "claimbridge." + namespace + ".svc"},
	}
	defer transport.CloseIdleConnections()
	_, port := must.Get2(net.SplitHostPort(server.MetricsAddr().String()))(t)
	for _, account := range []string{"prometheus", "somebody"} {
		c.Kubectl(t, nil, "create", "serviceaccount", account, "-n", namespace)
	}
	c.Kubectl(t, nil, "create", "clusterrolebinding", "readers-of-metrics", "--clusterrole=claimbridge-metrics-reader",
		"--serviceaccount="+namespace+":prometheus")
	await.NoError(t, "the API server hears of it", func() error {
		_, err := c.TryKubectl(t.Context(), nil, "auth", "can-i", "get", "/metrics",
			"--as=system:serviceaccount:"+namespace+":prometheus")
		return err
	})
	for account, want := range map[string]int{"prometheus": http.StatusOK, "somebody": http.StatusForbidden} {
		request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet,
			"https://127.0.0.1:"+port+"/metrics", http.NoBody))(t)
		request.Header.Set("Authorization", "Bearer "+c.configOf(t, namespace, account).BearerToken)
		response := must.Get(transport.RoundTrip(request))(t)
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: want %d, got %s", account, want, response.Status)
		}
	}
	c.Kubectl(t, nil, "delete", "clusterrolebinding", "readers-of-metrics")
	c.Kubectl(t, nil, "delete", "serviceaccount", "prometheus", "somebody", "-n", namespace)
}
