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
	var requestsToOtherServer atomic.Int64
	otherServer := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		requestsToOtherServer.Add(1)
	}))
	defer otherServer.Close()
	otherHost := strings.TrimPrefix(otherServer.URL, "http://")
	var requests atomic.Int64
	var host string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.Host != host {
			t.Errorf("%s %s: got host %q, want %q", r.Method, r.URL, r.Host, host)
		}
		if got, want := r.Header.Get("Authorization"), "Bearer "+r.Header.Get("Want-Token"); got != want {
			t.Errorf("%s %s: got authorization %q, want %q", r.Method, r.URL, got, want)
		}
		if r.URL.Path == "/apis/resource.k8s.io" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w,
				`{"kind":"APIGroup","apiVersion":"v1","name":"resource.k8s.io",`+
					`"versions":[{"groupVersion":"resource.k8s.io/v1beta1","version":"v1beta1"}]}`)
			return
		}
		http.Redirect(w, r, otherServer.URL+r.URL.Path, http.StatusTemporaryRedirect)
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
	proxyHost := strings.TrimPrefix(p.url(), "http://")
	const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
	for name, test := range map[string]struct {
		request, host string
		wantStatus    int
	}{
		"a redirect":                         {"GET /api/v1/pods", proxyHost, http.StatusTemporaryRedirect},
		"a redirect of a translated request": {"GET " + claims, proxyHost, http.StatusTemporaryRedirect},
		"a patch without a type":             {"PATCH " + claims + "/a", proxyHost, http.StatusUnsupportedMediaType},
		"an absolute URI":                    {"GET http://" + otherHost + claims, proxyHost, http.StatusTemporaryRedirect},
		"an absolute URI with a matching Host header": {
			"GET http://" + otherHost + claims, otherHost, http.StatusTemporaryRedirect,
		},
		"an absolute URI of a remote host": {"GET http://example.com" + claims, proxyHost, http.StatusForbidden},
		"an absolute URI with a user": {
			"GET http://" + proxyHost + "@" + otherHost + claims,
			proxyHost,
			http.StatusTemporaryRedirect,
		},
		"another host":                      {"GET " + claims, otherHost, http.StatusTemporaryRedirect},
		"a name that begins with localhost": {"GET " + claims, "localhost.example.com", http.StatusForbidden},
		"a path with two slashes":           {"GET //" + otherHost + claims, proxyHost, http.StatusTemporaryRedirect},
		"a forwarded path with two slashes": {
			"GET //" + otherHost + "/api/v1/pods", proxyHost, http.StatusTemporaryRedirect,
		},
		"a path with a scheme":              {"GET /http://" + otherHost + claims, proxyHost, http.StatusTemporaryRedirect},
		"a CONNECT tunnel":                  {"CONNECT " + otherHost, otherHost, http.StatusTemporaryRedirect},
		"a CONNECT tunnel to a remote host": {"CONNECT example.com:443", "example.com:443", http.StatusForbidden},
		"an upgrade": {
			"GET /api/v1/namespaces/default/pods/a/exec?command=sh",
			proxyHost + "\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1",
			http.StatusTemporaryRedirect,
		},
	} {
		for token, header := range map[string]string{
			proxyToken:  "",
			clientToken: "Authorization: Bearer " + clientToken + "\r\n",
		} {
			t.Run(name+" with "+token, func(t *testing.T) {
				connection := must.Get(net.Dial("tcp", proxyHost))(t)
				defer connection.Close()
				_, _ = io.WriteString(connection,
					test.request+" HTTP/1.1\r\nHost: "+test.host+"\r\nWant-Token: "+token+"\r\n"+header+
						"Content-Length: 0\r\n\r\n")
				resp := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
				_ = resp.Body.Close()
				if resp.StatusCode != test.wantStatus {
					t.Errorf("got status %d, want %d", resp.StatusCode, test.wantStatus)
				}
			})
		}
	}
	server.Close()
	resp, err := http.Get(p.url() + "/api/v1/pods?token=" + proxyToken)
	if err != nil || resp.StatusCode != http.StatusBadGateway {
		t.Fatalf("unreachable server: got error %v and response %v, want status 502", err, resp)
	}
	_ = resp.Body.Close()
	must.Do(t, p.Kill())
	log := p.Log.String()
	if !strings.Contains(log, "Cannot reach the API server") || strings.Contains(log, proxyToken) ||
		strings.Contains(log, clientToken) {
		t.Errorf("got the log\n%s\nwant an error about the API server, and no token", log)
	}
	if requestsToOtherServer.Load() > 0 || requests.Load() == 0 {
		t.Errorf("got %d requests to the other server, want none, and %d to the configured server, want some",
			requestsToOtherServer.Load(), requests.Load())
	}
}
