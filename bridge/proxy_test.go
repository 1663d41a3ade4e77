package bridge

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

func newProxy(t *testing.T, config *rest.Config, o ProxyOptions) http.Handler {
	t.Helper()
	proxy, err := Proxy(config, o)
	if err != nil {
		t.Fatal(err)
	}
	return proxy
}

func TestProxyRejectsUnknownOptions(t *testing.T) {
	tests := map[AbsentPolicy]bool{"": false, AbsentEmpty: false, AbsentNotFound: false, "Empty": true, "none": true}
	for absent, rejected := range tests {
		options := ProxyOptions{Options: Options{Absent: absent}}
		if _, err := Proxy(&rest.Config{Host: "https://127.0.0.1:1"}, options); (err != nil) != rejected {
			t.Errorf("%q: got %v, want an error: %t", absent, err, rejected)
		}
	}
}

// TestCredentials checks that the headers of the client select which credentials are sent, before a body is read.
func TestCredentials(t *testing.T) {
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Got", r.Header.Get("Authorization")+r.Header.Get("Impersonate-User")+
			r.Header.Get("Sec-Websocket-Protocol"))
	}))
	defer cluster.Close()
	const (
		ok, bad, token = http.StatusOK, http.StatusBadRequest, "Authorization"
		asUser         = "Impersonate-User"
		webSocket      = "Sec-Websocket-Protocol"
		webSocketToken = "v1.channel.k8s.io, base64url.bearer.authorization.k8s.io.YQ"
	)
	none, header := http.Header{}, func(name string, values ...string) http.Header { return http.Header{name: values} }
	for name, test := range map[string]struct {
		requireCredentials bool
		connection         string
		header             http.Header
		code               int
		want               string
	}{
		"client credentials":                        {false, "", header(token, "Bearer a"), ok, "Bearer a"},
		"Authorization named in Connection":         {false, token, header(token, "Bearer a"), ok, "Bearer a"},
		"configured credentials":                    {false, "", none, ok, "Bearer own"},
		"configured credentials with impersonation": {false, asUser, header(asUser, "jane"), ok, "Bearer ownjane"},
		"no credentials, but required":              {true, "", none, http.StatusUnauthorized, ""},

		"empty Authorization":                       {false, "", header(token, ""), bad, ""},
		"empty Authorization before a token":        {false, "", header(token, "", "Bearer a"), bad, ""},
		"token before an empty Authorization":       {false, "", header(token, "Bearer a", ""), bad, ""},
		"two tokens":                                {false, "", header(token, "Bearer a", "Bearer b"), bad, ""},
		"empty Authorization, credentials required": {true, "", header(token, "", "Bearer a"), bad, ""},

		"WebSocket token":                       {false, "", header(webSocket, webSocketToken), ok, webSocketToken},
		"WebSocket token in the second value":   {false, "", header(webSocket, "a", webSocketToken), ok, "a"},
		"WebSocket token named in Connection":   {false, webSocket, header(webSocket, webSocketToken), ok, webSocketToken},
		"WebSocket token, credentials required": {true, "", header(webSocket, webSocketToken), ok, webSocketToken},
		"WebSocket without a token":             {false, "", header(webSocket, "v1"), ok, "Bearer ownv1"},

		"empty Impersonate-User":               {false, "", header(asUser, ""), bad, ""},
		"empty Impersonate-User before a name": {false, "", header(asUser, "", "jane"), bad, ""},
		"X-Remote-User":                        {false, "", header("X-Remote-User", "jane"), bad, ""},
		"X-Remote-Group":                       {false, "", header("X-Remote-Group", "a"), bad, ""},
		"X-Remote-Extra":                       {false, "", header("X-Remote-Extra-Scopes", "a"), bad, ""},
	} {
		t.Run(name, func(t *testing.T) {
			config := &rest.Config{Host: cluster.URL, BearerToken: "own"}
			proxy := newProxy(t, config, ProxyOptions{RequireCredentials: test.requireCredentials})
			body := strings.NewReader("{}")
			r := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces", body)
			r.Header = test.header.Clone()
			r.Header.Set("Connection", test.connection)
			w := httptest.NewRecorder()
			proxy.ServeHTTP(w, r)
			if w.Code != test.code || w.Header().Get("Got") != test.want {
				t.Errorf("got %d with %q, want %d with %q", w.Code, w.Header().Get("Got"), test.code, test.want)
			}
			if bodyWasRead := body.Len() == 0; bodyWasRead && test.code != ok {
				t.Error("the body of a rejected request was read")
			}
		})
	}
}

// TestImpersonatingProxy checks that requests with the credentials of the configuration cannot change the user that the
// configuration impersonates.
func TestImpersonatingProxy(t *testing.T) {
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Got", r.Header.Get("Authorization")+","+r.Header.Get("Impersonate-User"))
	}))
	defer cluster.Close()
	proxy := newProxy(t, &rest.Config{
		Host: cluster.URL, BearerToken: "own", Impersonate: rest.ImpersonationConfig{UserName: "limited"},
	}, ProxyOptions{})
	for name, test := range map[string]struct {
		header http.Header
		code   int
		want   string
	}{
		"no impersonation": {http.Header{}, http.StatusOK, "Bearer own,limited"},
		"another user":     {http.Header{"Impersonate-User": {"admin"}}, http.StatusForbidden, ""},
		"another group":    {http.Header{"Impersonate-Group": {"system:masters"}}, http.StatusForbidden, ""},
		"another uid":      {http.Header{"Impersonate-Uid": {"1"}}, http.StatusForbidden, ""},
		"extra fields":     {http.Header{"Impersonate-Extra-Scopes": {"all"}}, http.StatusForbidden, ""},
		"own credentials": {
			http.Header{"Authorization": {"Bearer a"}, "Impersonate-User": {"admin"}}, http.StatusOK, "Bearer a,admin",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/api", nil)
			r.Header = test.header
			w := httptest.NewRecorder()
			proxy.ServeHTTP(w, r)
			if w.Code != test.code || w.Header().Get("Got") != test.want {
				t.Errorf("got %d with %q, want %d with %q", w.Code, w.Header().Get("Got"), test.code, test.want)
			}
		})
	}
}

// TestBodiesWait checks that only some bodies are read at the same time, and that others wait for them.
func TestBodiesWait(t *testing.T) {
	large, small := "Transfer-Encoding: chunked\r\n\r\n", "Content-Length: 2\r\n\r\n"
	for name, test := range map[string]struct {
		count                int
		unfinished, complete string
		otherSize            string
		otherComplete        string
	}{
		"large bodies": {maxLargeBodies, large + "1\r\n{\r\n", large + "1\r\n1\r\n0\r\n\r\n", "small", small + "[]"},
		"small bodies": {maxSmallBodies, small + "{", small + "[]", "large", large + "1\r\n1\r\n0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, nil)
			server := httptest.NewServer(newProxy(t, &rest.Config{Host: cluster.URL}, ProxyOptions{}))
			t.Cleanup(server.Close) // after the connections are closed
			var unfinished []net.Conn
			for range test.count {
				unfinished = append(unfinished, sendUpdate(t, server, test.unfinished))
			}
			time.Sleep(200 * time.Millisecond) // until the proxy reads them
			waiting := sendUpdate(t, server, test.complete)
			_ = waiting.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
			if _, err := http.ReadResponse(bufio.NewReader(waiting), nil); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("one more body: got %v, want no response yet", err)
			}
			checkBadRequest(t, "a "+test.otherSize+" body", sendUpdate(t, server, test.otherComplete))
			_ = unfinished[0].Close()
			_ = waiting.SetReadDeadline(time.Time{})
			checkBadRequest(t, "after another one has ended", waiting)
		})
	}
}

// sendUpdate sends a request with headers and a body, and returns its connection.
func sendUpdate(t *testing.T, server *httptest.Server, headersAndBody string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	_, _ = io.WriteString(connection, "PUT "+claimOverV1+" HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Type: application/json\r\n"+headersAndBody)
	return connection
}

func checkBadRequest(t *testing.T, what string, connection net.Conn) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("%s: got %d, want 400", what, resp.StatusCode)
	}
}

// TestOpaqueTargets checks that a request target without a path, whose rest would be sent unchecked, is rejected.
func TestOpaqueTargets(t *testing.T) {
	cluster := newFakeAPIServer(t, nil)
	server := httptest.NewServer(newProxy(t, &rest.Config{Host: cluster.URL + "/prefix"}, ProxyOptions{}))
	defer server.Close()
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "GET http:"+cluster.URL+"/other HTTP/1.1\r\nHost: localhost\r\n\r\n")
	checkBadRequest(t, "an opaque target", connection)
	if requests := cluster.count("/other"); requests > 0 {
		t.Errorf("got %d requests outside of the path of the cluster, want none", requests)
	}
}

// TestBodyAfterRequest checks that the end of a body does not change the connection after the request.
func TestBodyAfterRequest(t *testing.T) {
	var body io.Reader
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		end := limitBodyTime(w, r)
		body = r.Body
		end()
		if deadline := body.(*deadlineBody); deadline.controller != nil {
			t.Error("got a controller after the request, want none")
		}
	}))
	defer server.Close()
	resp, err := http.Post(server.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	_, _ = io.ReadAll(body) // must not panic
}

// TestIsLarge checks which requests are limited like large ones.
func TestIsLarge(t *testing.T) {
	const protobuf = "application/vnd.kubernetes.protobuf;type=a"
	for name, test := range map[string]struct {
		method, contentType string
		length              int64
		want                bool
	}{
		"small JSON":        {http.MethodPost, "application/json", largeBodyBytes, false},
		"large JSON":        {http.MethodPost, "application/json", largeBodyBytes + 1, true},
		"unknown length":    {http.MethodPost, "application/json", -1, true},
		"small protobuf":    {http.MethodPut, protobuf, largeProtobufBytes, false},
		"large protobuf":    {http.MethodPut, protobuf, largeProtobufBytes + 1, true},
		"a patch":           {http.MethodPatch, "application/merge-patch+json", 2, true},
		"options of delete": {http.MethodDelete, "application/json", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "/", nil)
			r.Header.Set("Content-Type", test.contentType)
			r.ContentLength = test.length
			if got := isLarge(r); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

// TestUnreadResponseReleasesBody checks that a client that does not read its response does not make others wait.
func TestUnreadResponseReleasesBody(t *testing.T) {
	p := proxy{largeBodies: make(chan struct{}, 1), smallBodies: make(chan struct{}, 1)}
	isReleased := false
	p.defaultHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		isReleased = len(p.smallBodies) == 0
	})
	r := httptest.NewRequest(http.MethodPost, groupPath+"/v1/namespaces/a/resourceclaims", strings.NewReader("{}"))
	p.ServeHTTP(httptest.NewRecorder(), r)
	if !isReleased || len(p.smallBodies) != 0 {
		t.Errorf("got released with the header: %t, and %d bodies at the end, want true and 0", isReleased,
			len(p.smallBodies))
	}
}
