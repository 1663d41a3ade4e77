package bridge

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// TestConnectionErrorsAreText checks that a connection error is a text, as from kubectl proxy: kubectl prints a text
// for any path, but decodes a Status only for some.
func TestConnectionErrorsAreText(t *testing.T) {
	proxy := newProxy(t, &rest.Config{Host: "http://127.0.0.1:1"}, ProxyOptions{})
	for _, path := range []string{"/api", "/apis/resource.k8s.io/v1/resourceclaims"} {
		w := httptest.NewRecorder()
		proxy.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		const want = "dial tcp 127.0.0.1:1: connect: connection refused\n"
		contentType := w.Header().Get("Content-Type")
		if w.Code != http.StatusBadGateway || w.Body.String() != want || !strings.HasPrefix(contentType, "text/plain") {
			t.Errorf("%s: got %d %s %q, want 502 text/plain %q", path, w.Code, contentType, w.Body, want)
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
		t.Errorf("client-go: got %v, want connection refused", err)
	}
}

// TestTranslationErrors checks that a response that cannot be converted is not reported as a connection error.
func TestTranslationErrors(t *testing.T) {
	for name, test := range map[string]struct{ object, want string }{
		"not an object": {`[]`, "convert the response of the cluster to v1: must be an object"},
		"an object above the limit": {
			`{"a":"` + strings.Repeat("a", 24<<20) + `"}`,
			"response of the cluster: value exceeds the limit of 25165824 bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, map[string]string{claimOverV1beta1: test.object})
			w := httptest.NewRecorder()
			newProxy(t, &rest.Config{Host: cluster.URL}, ProxyOptions{}).ServeHTTP(w,
				httptest.NewRequest(http.MethodGet, claimOverV1, nil))
			if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), test.want) ||
				!strings.Contains(w.Body.String(), `"reason":"InternalError"`) {
				t.Errorf("got %d %.300s, want 500 with %q", w.Code, w.Body, test.want)
			}
		})
	}
}

// TestBrokenBody checks that a body that is not valid chunked encoding is the client's error.
func TestBrokenBody(t *testing.T) {
	cluster := newFakeAPIServer(t, nil)
	server := httptest.NewServer(newProxy(t, &rest.Config{Host: cluster.URL}, ProxyOptions{}))
	defer server.Close()
	connection, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "PUT "+claimOverV1+" HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "cannot read the request body") {
		t.Errorf("got %d %s, want 400", resp.StatusCode, body)
	}
}
