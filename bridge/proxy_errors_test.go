package bridge

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
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

// TestAConnectionErrorIsText, as from kubectl proxy: kubectl prints a text for any path, but decodes a Status only for
// some.
func TestAConnectionErrorIsText(t *testing.T) {
	proxy := newProxy(t, &rest.Config{Host: "http://127.0.0.1:1"}, ProxyOptions{})
	for _, path := range []string{"/api", "/apis/resource.k8s.io/v1/resourceclaims"} {
		w := httptest.NewRecorder()
		proxy.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		const want = "dial tcp 127.0.0.1:1: connect: connection refused\n"
		contentType := w.Header().Get("Content-Type")
		if w.Code != http.StatusBadGateway || w.Body.String() != want || !strings.HasPrefix(contentType, "text/plain") {
			t.Errorf("%s: %d %s %q", path, w.Code, contentType, w.Body)
		}
	}
	server := httptest.NewServer(proxy)
	defer server.Close()
	client, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host:          server.URL,
		ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{}, NegotiatedSerializer: scheme.Codecs},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = client.Get().AbsPath("/api").Do(context.Background()).Error()
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("client-go shows: %v", err)
	}
}
