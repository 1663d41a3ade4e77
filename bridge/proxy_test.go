package bridge

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestProxyRejectsUnknownOptions(t *testing.T) {
	tests := map[Absent]bool{"": false, Empty: false, NotFound: false, "Empty": true, "none": true}
	for absent, rejected := range tests {
		options := ProxyOptions{Options: Options{Absent: absent}}
		if _, err := Proxy(&rest.Config{Host: "https://127.0.0.1:1"}, options); (err != nil) != rejected {
			t.Errorf("%q: %v", absent, err)
		}
	}
}

// TestCredentials: the headers of the client select which credentials are sent, before a body is read.
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
		callersOnly bool
		connection  string
		header      http.Header
		code        int
		want        string
	}{
		"the caller's":                        {false, "", header(token, "Bearer a"), ok, "Bearer a"},
		"the caller's, for the proxy alone":   {false, token, header(token, "Bearer a"), ok, "Bearer a"},
		"the configuration's":                 {false, "", none, ok, "Bearer own"},
		"the configuration's, for somebody":   {false, asUser, header(asUser, "jane"), ok, "Bearer ownjane"},
		"none, where there are callers' only": {true, "", none, http.StatusUnauthorized, ""},

		"an empty value":              {false, "", header(token, ""), bad, ""},
		"an empty one before another": {false, "", header(token, "", "Bearer a"), bad, ""},
		"one before an empty value":   {false, "", header(token, "Bearer a", ""), bad, ""},
		"two":                         {false, "", header(token, "Bearer a", "Bearer b"), bad, ""},
		"an empty one of callers":     {true, "", header(token, "", "Bearer a"), bad, ""},

		"a WebSocket's token":               {false, "", header(webSocket, webSocketToken), ok, webSocketToken},
		"the same, in the second value":     {false, "", header(webSocket, "a", webSocketToken), ok, "a"},
		"the same, for the proxy alone":     {false, webSocket, header(webSocket, webSocketToken), ok, webSocketToken},
		"a WebSocket's token, callers only": {true, "", header(webSocket, webSocketToken), ok, webSocketToken},
		"a WebSocket without a token":       {false, "", header(webSocket, "v1"), ok, "Bearer ownv1"},

		"an empty user to impersonate":  {false, "", header(asUser, ""), bad, ""},
		"an empty one before another's": {false, "", header(asUser, "", "jane"), bad, ""},
		"the user of a proxy before it": {false, "", header("X-Remote-User", "jane"), bad, ""},
		"the group of such a user":      {false, "", header("X-Remote-Group", "a"), bad, ""},
		"what else is known of it":      {false, "", header("X-Remote-Extra-Scopes", "a"), bad, ""},
	} {
		t.Run(name, func(t *testing.T) {
			config := &rest.Config{Host: cluster.URL, BearerToken: "own"}
			proxy := newProxy(t, config, ProxyOptions{CallersOnly: test.callersOnly})
			body := strings.NewReader("{}")
			r := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces", body)
			r.Header = test.header.Clone()
			r.Header.Set("Connection", test.connection)
			w := httptest.NewRecorder()
			proxy.ServeHTTP(w, r)
			isRead := test.code != ok && body.Len() == 0
			if w.Code != test.code || w.Header().Get("Got") != test.want || isRead {
				t.Errorf("%d with %q, %d bytes unread", w.Code, w.Header().Get("Got"), body.Len())
			}
		})
	}
}
