//go:build e2e

package bridge

import (
	"bufio"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestTokensAreSentOnlyToTheServer checks that tokens are sent only to the configured server and never logged, even if
// the client names another host or the server redirects. TestRequestsStayBelowTheServer in package bridge has more
// requests.
func TestTokensAreSentOnlyToTheServer(t *testing.T) {
	const proxyToken, clientToken = "the-token-of-the-kubeconfig", "the-token-of-a-client"
	var requestsElsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requestsElsewhere.Add(1) }))
	defer other.Close()
	otherHost := strings.TrimPrefix(other.URL, "http://")
	var requests atomic.Int64
	var host string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if got, want := r.Header.Get("Authorization"), "Bearer "+r.Header.Get("Want-Token"); r.Host != host || got != want {
			t.Errorf("%s %s of %s has %q, not %q", r.Method, r.URL, r.Host, got, want)
		}
		if r.URL.Path == "/apis/resource.k8s.io" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w,
				`{"kind":"APIGroup","apiVersion":"v1","name":"resource.k8s.io",`+
					`"versions":[{"groupVersion":"resource.k8s.io/v1beta1","version":"v1beta1"}]}`)
			return
		}
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	host = strings.TrimPrefix(server.URL, "https://")
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig,
		fmt.Appendf(nil, `{"current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],`+
			`"clusters":[{"name":"c","cluster":{"server":%q,"certificate-authority-data":%q}}],"users":[{"name":"u",`+
			`"user":{"token":%q}}]}`,
			server.URL, base64.StdEncoding.EncodeToString(ca), proxyToken), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProxyWith(t, kubeconfig, plane.Port(t))
	local := strings.TrimPrefix(p.url(), "http://")
	const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
	for name, test := range map[string]struct {
		request, host string
		want          int
	}{
		"a redirect":                         {"GET /api/v1/pods", local, http.StatusTemporaryRedirect},
		"a redirect of a translated request": {"GET " + claims, local, http.StatusTemporaryRedirect},
		"a patch without a type":             {"PATCH " + claims + "/a", local, http.StatusUnsupportedMediaType},
		"an absolute URI":                    {"GET http://" + otherHost + claims, local, http.StatusTemporaryRedirect},
		"an absolute URI with the same host": {
			"GET http://" + otherHost + claims, otherHost, http.StatusTemporaryRedirect,
		},
		"an absolute URI of a remote host": {"GET http://example.com" + claims, local, http.StatusForbidden},
		"an absolute URI with a user": {
			"GET http://" + local + "@" + otherHost + claims,
			local,
			http.StatusTemporaryRedirect,
		},
		"another host":                      {"GET " + claims, otherHost, http.StatusTemporaryRedirect},
		"a name that begins with localhost": {"GET " + claims, "localhost.example.com", http.StatusForbidden},
		"a path with two slashes":           {"GET //" + otherHost + claims, local, http.StatusTemporaryRedirect},
		"a forwarded path with two slashes": {
			"GET //" + otherHost + "/api/v1/pods", local, http.StatusTemporaryRedirect,
		},
		"a path with a scheme":      {"GET /http://" + otherHost + claims, local, http.StatusTemporaryRedirect},
		"a tunnel":                  {"CONNECT " + otherHost, otherHost, http.StatusTemporaryRedirect},
		"a tunnel to a remote host": {"CONNECT example.com:443", "example.com:443", http.StatusForbidden},
		"an upgrade": {
			"GET /api/v1/namespaces/default/pods/a/exec?command=sh",
			local + "\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1",
			http.StatusTemporaryRedirect,
		},
	} {
		for token, header := range map[string]string{
			proxyToken:  "",
			clientToken: "Authorization: Bearer " + clientToken + "\r\n",
		} {
			t.Run(name+" with "+token, func(t *testing.T) {
				connection := must.Get(net.Dial("tcp", local))(t)
				defer connection.Close()
				_, _ = io.WriteString(connection,
					test.request+" HTTP/1.1\r\nHost: "+test.host+"\r\nWant-Token: "+token+"\r\n"+header+
						"Content-Length: 0\r\n\r\n")
				resp := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
				_ = resp.Body.Close()
				if resp.StatusCode != test.want {
					t.Errorf("%d, not %d", resp.StatusCode, test.want)
				}
			})
		}
	}
	server.Close()
	resp, err := http.Get(p.url() + "/api/v1/pods?token=" + proxyToken)
	if err != nil || resp.StatusCode != http.StatusBadGateway {
		t.Fatalf("an unreachable server: %v, %v", err, resp)
	}
	_ = resp.Body.Close()
	must.Do(t, p.Kill())
	log := p.Log.String()
	if !strings.Contains(log, "Cannot reach the API server") || strings.Contains(log, proxyToken) ||
		strings.Contains(log, clientToken) {
		t.Errorf("the log is\n%s", log)
	}
	if requestsElsewhere.Load() > 0 || requests.Load() == 0 {
		t.Errorf("%d requests to another server, and %d to the configured one", requestsElsewhere.Load(), requests.Load())
	}
}
