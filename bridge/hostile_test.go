package bridge

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"
)

// TestRequestsStayBelowTheServer checks that requests, and the credentials of the configuration, are sent only to the
// configured server and below its path, whatever the client or the server names.
func TestRequestsStayBelowTheServer(t *testing.T) {
	const prefix, ownToken = "/k8s/clusters/c-1", "own"
	var requestsElsewhere atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		requestsElsewhere.Add(1)
	}))
	defer elsewhere.Close()
	otherHost := strings.TrimPrefix(elsewhere.URL, "http://")
	var requests atomic.Int64
	server := httptest.NewUnstartedServer(nil)
	defer server.Close()
	serverHost := server.Listener.Addr().String()
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		isBelow := r.URL.Path == prefix || strings.HasPrefix(r.URL.Path, prefix+"/")
		if r.Host != serverHost || !isBelow || strings.Contains(r.URL.Path, "/..") {
			t.Errorf("the server got %s %s of host %s", r.Method, r.RequestURI, r.Host)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+r.Header.Get("Want-Token") {
			t.Errorf("%s %s has %q", r.Method, r.RequestURI, got)
		}
		if r.URL.Path == prefix+groupPath {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, groupDocument("v1beta1"))
			return
		}
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	})
	server.Start()
	proxy := newProxy(t, &rest.Config{Host: server.URL + prefix, BearerToken: ownToken}, ProxyOptions{})
	front := httptest.NewServer(proxy)
	defer front.Close()

	const claims = groupPath + "/v1/namespaces/a/resourceclaims"
	const redirect, rejected = http.StatusTemporaryRedirect, http.StatusBadRequest
	for name, test := range map[string]struct {
		requestLine, headers string
		want                 int
	}{
		"a translated path":               {"GET " + claims, "", redirect},
		"a forwarded path":                {"GET /api/v1/pods", "", redirect},
		"an absolute URL":                 {"GET http://" + otherHost + claims, "", redirect},
		"an absolute URL with a user":     {"GET http://a:b@" + otherHost + claims, "", redirect},
		"an absolute URL without a path":  {"GET http://" + otherHost, "", redirect},
		"a path with two slashes":         {"GET //" + otherHost + claims, "", redirect},
		"two slashes after the group":     {"GET " + groupPath + "//v1/resourceclaims", "", redirect},
		"a URL as a path":                 {"GET /http://" + otherHost + claims, "", redirect},
		"parent segments":                 {"GET /../../c-2/api/v1/secrets", "", rejected},
		"parent segments after the group": {"GET " + claims + "/../../../../../../../c-2/api/v1/secrets", "", rejected},
		"encoded parent segments":         {"GET /%2e%2e/%2E./c-2/api/v1/secrets", "", rejected},
		"encoded slashes":                 {"GET " + groupPath + "/v1/namespaces/a%2fb/resourceclaims/c", "", rejected},
		"encoded slashes and parents":     {"GET " + groupPath + "/v1/namespaces/..%2f..%2fc-2/resourceclaims", "", rejected},
		"an encoded slash at the end":     {"GET /..%2f", "", rejected},
		"a dot segment":                   {"GET /./api", "", rejected},
		"a name with dots":                {"GET " + claims + "/a..b", "", redirect},
		"a query with a URL":              {"GET " + claims + "?u=http://" + otherHost + "/../..", "", redirect},
		"a fragment":                      {"GET " + claims + "#@" + otherHost, "", rejected},
		"a tunnel":                        {"CONNECT " + otherHost, "", redirect},
		"an upgrade": {
			"GET /api/v1/namespaces/a/pods/b/exec?command=sh", "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n", redirect,
		},
		"an upgrade of a watch": {
			"GET " + claims + "?watch=1", "Connection: Upgrade\r\nUpgrade: websocket\r\n", rejected,
		},
		"forwarding headers": {
			"GET " + claims, "X-Forwarded-Host: " + otherHost + "\r\nForwarded: host=" + otherHost + "\r\n", redirect,
		},
		"a proxy header": {"GET " + claims, "Proxy-Authorization: Bearer other\r\n", redirect},
	} {
		for token, header := range map[string]string{
			ownToken: "", "client": "Authorization: Bearer client\r\nConnection: Authorization\r\n",
		} {
			if token == "client" && strings.Contains(test.headers, "Connection:") {
				header = "Authorization: Bearer client\r\n"
			}
			t.Run(name+" with the token "+token, func(t *testing.T) {
				connection, err := net.Dial("tcp", strings.TrimPrefix(front.URL, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer connection.Close()
				_, _ = io.WriteString(connection, test.requestLine+" HTTP/1.1\r\nHost: "+otherHost+"\r\nWant-Token: "+token+
					"\r\n"+header+test.headers+"Content-Length: 0\r\n\r\n")
				resp, err := http.ReadResponse(bufio.NewReader(connection), nil)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if resp.StatusCode != test.want {
					body, _ := io.ReadAll(resp.Body)
					t.Errorf("got %d %s, want %d", resp.StatusCode, body, test.want)
				}
			})
		}
	}
	if requestsElsewhere.Load() > 0 || requests.Load() == 0 {
		t.Errorf("%d requests to another server, %d to the configured one", requestsElsewhere.Load(), requests.Load())
	}
}
