package transcode

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// fakeCluster returns the same response to every request, and records the last request.
type fakeCluster struct {
	code                  int
	body                  string
	method, url, sentBody string
	sentHeader            http.Header
	mustNotBeCalled       bool
	t                     *testing.T
}

func (f *fakeCluster) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.mustNotBeCalled {
		f.t.Errorf("a request was sent: %s %s", r.Method, r.URL)
		return nil, errors.New("a request was sent")
	}
	f.method, f.url, f.sentHeader = r.Method, r.URL.String(), r.Header
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		f.sentBody = string(body)
	}
	return &http.Response{
		StatusCode: f.code,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(f.body)),
	}, nil
}

type roundTripperFunc func(*http.Request) (*http.Response, error)

func (f roundTripperFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// conflictingCluster has a claim that other clients change a number of times.
type conflictingCluster struct{ conflicts, patches int }

func (c *conflictingCluster) RoundTrip(r *http.Request) (*http.Response, error) {
	code := http.StatusOK
	if r.Method == http.MethodPatch {
		if c.patches < c.conflicts {
			code = http.StatusConflict
		}
		c.patches++
	}
	claim := strings.Replace(v1beta1Claim, `"name":"b"`, `"name":"b","resourceVersion":"7"`, 1)
	return (&fakeCluster{code: code, body: claim}).RoundTrip(r)
}

// roundTrip sends a request through a bridge to a cluster that serves another version.
func roundTrip(
	t *testing.T, next http.RoundTripper, served, method, path, contentType, body string,
) (code int, header http.Header, response string) {
	t.Helper()
	r := newTestRequest(method, path, body)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp := send(t, next, served, r)
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header, readString(t, resp)
}

func newTestRequest(method, path, body string) *http.Request {
	return httptest.NewRequest(method, "https://cluster"+path, strings.NewReader(body))
}

func sendTestRequest(t *testing.T, next http.RoundTripper, r *http.Request) (code int, response string) {
	t.Helper()
	resp := send(t, next, "v1beta1", r)
	defer resp.Body.Close()
	return resp.StatusCode, readString(t, resp)
}

func send(t *testing.T, next http.RoundTripper, served string, r *http.Request) *http.Response {
	t.Helper()
	target, ok := ParseTarget(r.URL)
	if !ok {
		t.Fatalf("%s is not a path of the group", r.URL)
	}
	resp, err := Translator{Next: next, ServedVersion: served}.Translate(r, target)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func readString(t *testing.T, resp *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// hasTypes reports whether the client-go of the test has the Go types of a version.
func hasTypes(version string) bool {
	return scheme.Scheme.IsVersionRegistered(schema.GroupVersion{Group: "resource.k8s.io", Version: version})
}
