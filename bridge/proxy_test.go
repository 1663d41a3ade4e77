package bridge

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestAProxyRefusesAnAnswerThatItDoesNotKnow(t *testing.T) {
	for absent, refused := range map[Absent]bool{"": false, Empty: false, NotFound: false, "Empty": true, "none": true} {
		if _, err := Proxy(&rest.Config{Host: "https://127.0.0.1:1"}, ProxyOptions{Options: Options{Absent: absent}}); (err != nil) != refused {
			t.Errorf("%q: %v", absent, err)
		}
	}
}

// Which credentials are sent is decided by what the caller sent, before a body is read.
func TestCredentials(t *testing.T) {
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Got", r.Header.Get("Authorization")+r.Header.Get("Impersonate-User"))
	}))
	defer cluster.Close()
	for name, test := range map[string]struct {
		callersOnly       bool
		connection, token string
		code              int
		want, as          string
	}{
		"the caller's":                        {false, "", "Bearer a", http.StatusOK, "Bearer a", ""},
		"the caller's, for the proxy alone":   {false, "Authorization", "Bearer a", http.StatusOK, "Bearer a", ""},
		"the configuration's":                 {false, "", "", http.StatusOK, "Bearer own", ""},
		"the configuration's, for somebody":   {false, "Impersonate-User", "", http.StatusOK, "Bearer ownjane", "jane"},
		"none, where there are callers' only": {true, "", "", http.StatusUnauthorized, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			proxy := must.Get(Proxy(&rest.Config{Host: cluster.URL, BearerToken: "own"}, ProxyOptions{CallersOnly: test.callersOnly}))(t)
			body := strings.NewReader("{}")
			r := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces", body)
			r.Header.Set("Authorization", test.token)
			r.Header.Set("Connection", test.connection)
			r.Header.Set("Impersonate-User", test.as)
			w := httptest.NewRecorder()
			if proxy.ServeHTTP(w, r); w.Code != test.code || w.Header().Get("Got") != test.want || test.callersOnly && body.Len() == 0 {
				t.Errorf("%d with %q, %d bytes unread", w.Code, w.Header().Get("Got"), body.Len())
			}
		})
	}
}
