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

// checkMetrics checks that only accounts with the role claimbridge-metrics-reader can read metrics. The server
// authorizes them with its own account. As in the ServiceMonitor, the client verifies the server with the CA in the
// Secret and the name of the Service.
func (l *lifecycle) checkMetrics(t *testing.T) {
	c, server := l.cluster, l.server
	ca, err := base64.StdEncoding.DecodeString(c.Kubectl(t, nil, "get", "secret", "claimbridge-ca", "-n", namespace,
		"-o", `jsonpath={.data.ca\.crt}`))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		t.Fatal("the Secret has no CA")
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "claimbridge." + namespace + ".svc"},
	}
	defer transport.CloseIdleConnections()
	_, port := must.Get2(net.SplitHostPort(server.MetricsAddr().String()))(t)
	for _, account := range []string{"prometheus", "unprivileged"} {
		c.Kubectl(t, nil, "create", "serviceaccount", account, "-n", namespace)
	}
	c.Kubectl(t, nil, "create", "clusterrolebinding", "readers-of-metrics", "--clusterrole=claimbridge-metrics-reader",
		"--serviceaccount="+namespace+":prometheus")
	await.NoError(t, "the API server knows the role binding", func() error {
		_, err := c.TryKubectl(t.Context(), nil, "auth", "can-i", "get", "/metrics",
			"--as=system:serviceaccount:"+namespace+":prometheus")
		return err
	})
	for account, want := range map[string]int{"prometheus": http.StatusOK, "unprivileged": http.StatusForbidden} {
		request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet,
			"https://127.0.0.1:"+port+"/metrics", http.NoBody))(t)
		request.Header.Set("Authorization", "Bearer "+c.configOf(t, namespace, account).BearerToken)
		response := must.Get(transport.RoundTrip(request))(t)
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("account %s: got status %s, want %d", account, response.Status, want)
		}
	}
	c.Kubectl(t, nil, "delete", "clusterrolebinding", "readers-of-metrics")
	c.Kubectl(t, nil, "delete", "serviceaccount", "prometheus", "unprivileged", "-n", namespace)
}
