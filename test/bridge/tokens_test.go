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

// A token goes to the server that is configured and nowhere else, whatever a client says, or that
// server, and no line of the log has it. The server is one that no cluster has: it sends its
// clients away.
func TestTokensStayWithTheServer(t *testing.T) {
	const own, callers = "the-token-of-the-kubeconfig", "the-token-of-a-caller"
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	stranger := strings.TrimPrefix(other.URL, "http://")
	var asked atomic.Int64
	var host string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if got, want := r.Header.Get("Authorization"), "Bearer "+r.Header.Get("Whose"); r.Host != host || got != want {
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
			server.URL, base64.StdEncoding.EncodeToString(ca), own), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, kubeconfig, plane.Port(t))
	local := strings.TrimPrefix(p.url(), "http://")
	const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
	for name, test := range map[string]struct {
		request, host string
		want          int
	}{
		"what is answered by another host": {"GET /api/v1/pods", local, http.StatusTemporaryRedirect},
		"what is bridged, and answered so": {"GET " + claims, local, http.StatusTemporaryRedirect},
		"a patch of no type":               {"PATCH " + claims + "/a", local, http.StatusUnsupportedMediaType},
		"an absolute URI":                  {"GET http://" + stranger + claims, local, http.StatusTemporaryRedirect},
		"an absolute URI with its host": {
			"GET http://" + stranger + claims, stranger, http.StatusTemporaryRedirect,
		},
		"an absolute URI of another machine": {"GET http://example.com" + claims, local, http.StatusForbidden},
		"an absolute URI with a user": {
			"GET http://" + local + "@" + stranger + claims,
			local,
			http.StatusTemporaryRedirect,
		},
		"a host":                            {"GET " + claims, stranger, http.StatusTemporaryRedirect},
		"a name that may mean this machine": {"GET " + claims, "localhost.example.com", http.StatusForbidden},
		"a path that begins as a host":      {"GET //" + stranger + claims, local, http.StatusTemporaryRedirect},
		"a path that begins as another host": {
			"GET //" + stranger + "/api/v1/pods", local, http.StatusTemporaryRedirect,
		},
		"a path with a scheme in it":  {"GET /http://" + stranger + claims, local, http.StatusTemporaryRedirect},
		"a tunnel":                    {"CONNECT " + stranger, stranger, http.StatusTemporaryRedirect},
		"a tunnel to another machine": {"CONNECT example.com:443", "example.com:443", http.StatusForbidden},
		"an upgrade": {
			"GET /api/v1/namespaces/default/pods/a/exec?command=sh",
			local + "\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1",
			http.StatusTemporaryRedirect,
		},
	} {
		for whose, header := range map[string]string{own: "", callers: "Authorization: Bearer " + callers + "\r\n"} {
			t.Run(name+" with "+whose, func(t *testing.T) {
				connection := must.Get(net.Dial("tcp", local))(t)
				defer connection.Close()
				_, _ = io.WriteString(connection,
					test.request+" HTTP/1.1\r\nHost: "+test.host+"\r\nWhose: "+whose+"\r\n"+header+
						"Content-Length: 0\r\n\r\n")
				response := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
				_ = response.Body.Close()
				if response.StatusCode != test.want {
					t.Errorf("%d, not %d", response.StatusCode, test.want)
				}
			})
		}
	}
	server.Close()
	response, err := http.Get(p.url() + "/api/v1/pods?token=" + own)
	if err != nil || response.StatusCode != http.StatusBadGateway {
		t.Fatalf("a server that is away: %v, %v", err, response)
	}
	_ = response.Body.Close()
	must.Do(t, p.Kill())
	log := p.Log.String()
	if !strings.Contains(log, "Cannot reach the API server") || strings.Contains(log, own) ||
		strings.Contains(log, callers) {
		t.Errorf("the log is\n%s", log)
	}
	if elsewhere.Load() > 0 || asked.Load() == 0 {
		t.Errorf("%d requests went elsewhere, and %d to the server", elsewhere.Load(), asked.Load())
	}
}
