package bridge

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestAConnectionErrorIsText, as kubectl proxy answers: kubectl prints it for requests of which it decodes no Status.
func TestAConnectionErrorIsText(t *testing.T) {
	proxy := must.Get(Proxy(&rest.Config{Host: "http://127.0.0.1:1"}, ProxyOptions{}))(t)
	for _, path := range []string{"/api", "/apis/resource.k8s.io/v1/resourceclaims"} {
		w := httptest.NewRecorder()
		proxy.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		const want = "dial tcp 127.0.0.1:1: connect: connection refused\n"
		contentType := w.Header().Get("Content-Type")
		if w.Code != http.StatusBadGateway || w.Body.String() != want || !strings.HasPrefix(contentType, "text/plain") {
			t.Errorf("%s: %d %s %q", path, w.Code, contentType, w.Body)
		}
	}
	config := &rest.Config{Host: "http://127.0.0.1:1"}
	server := httptest.NewServer(must.Get(Proxy(config, ProxyOptions{}))(t))
	defer server.Close()
	client := must.Get(rest.UnversionedRESTClientFor(&rest.Config{
		Host:          server.URL,
		ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{}, NegotiatedSerializer: scheme.Codecs},
	}))(t)
	err := client.Get().AbsPath("/api").Do(t.Context()).Error()
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("client-go shows: %v", err)
	}
}
