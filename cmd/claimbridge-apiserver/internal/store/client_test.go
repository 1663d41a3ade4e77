package store

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
)

// asked is what came to the store.
type asked struct {
	Method, Path, Body string
	Header             http.Header
}

// storeOf answers as a function does, and keeps the last request.
func storeOf(t *testing.T, answer http.HandlerFunc) (*Client, *asked) {
	t.Helper()
	var last asked
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = asked{Method: r.Method, Path: r.RequestURI, Body: string(body), Header: r.Header}
		answer(w, r)
	}))
	server.EnableHTTP2 = true // as every API server
	server.StartTLS()
	t.Cleanup(server.Close)
	client, err := New(&rest.Config{
		Host: server.URL, BearerToken: "ours", TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}, caller.Constrained, "test/1")
	if err != nil {
		t.Fatal(err)
	}
	return client, &last
}

func ok(http.ResponseWriter, *http.Request) {}

func TestARequestIsMadeOfItsParts(t *testing.T) {
	client, got := storeOf(t, ok)
	ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice", Groups: []string{"devs", "system:authenticated"}})
	ctx = audit.WithAuditContext(ctx)
	audit.WithAuditID(ctx, "id-1")
	resp, err := client.AsCaller(ctx, Request{
		Method: http.MethodPatch, Namespace: "ns", Resource: "resourceclaims", Name: "c", Subresource: "status",
		Query: url.Values{"fieldManager": {"a b"}, "dryRun": {"All"}}, Body: []byte("{}"),
		Header: http.Header{
			"User-Agent": {"kubectl/1"}, "Accept": {"application/json"}, "Content-Type": {"application/merge-patch+json"},
			// None of these is for the store.
			"Authorization": {"Bearer theirs"}, "Impersonate-User": {"admin"}, "Impersonate-Group": {"system:masters"}, "X-Remote-User": {"admin"},
			"X-Forwarded-For": {"1.2.3.4"}, "Cookie": {"a"}, "Accept-Encoding": {"gzip"}, "Audit-Id": {"forged"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	want := &asked{
		Method: http.MethodPatch, Path: "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c/status?dryRun=All&fieldManager=a+b", Body: "{}",
		Header: http.Header{
			"User-Agent": {"kubectl/1"}, "Accept": {"application/json"}, "Content-Type": {"application/merge-patch+json"}, "Content-Length": {"2"},
			"Authorization": {"Bearer ours"}, "Impersonate-User": {"alice"}, "Impersonate-Group": {"devs"}, http.CanonicalHeaderKey(auditinternal.HeaderAuditID): {"id-1"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestALiveReadIsOurOwn(t *testing.T) {
	for cached, query := range map[bool]string{false: "", true: "?resourceVersion=0"} {
		client, got := storeOf(t, ok)
		ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"})
		resp, err := client.Live(ctx, Request{
			Method: http.MethodPut, Namespace: "ns", Resource: "resourceclaims", Name: "c", Subresource: "status",
			Query: url.Values{"dryRun": {"All"}}, Body: []byte("{}"), Header: http.Header{"User-Agent": {"kubectl/1"}, "Accept": {"application/yaml"}},
		}, cached)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		want := &asked{
			Method: http.MethodGet, Path: "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims/c" + query,
			Header: http.Header{"User-Agent": {"test/1"}, "Accept": {"application/json"}, "Authorization": {"Bearer ours"}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
	}
}

// The default of fieldManager is made from it, and an API server makes none of an empty one.
func TestNoUserAgentStaysNone(t *testing.T) {
	client, got := storeOf(t, ok)
	resp, err := client.AsCaller(request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"}), Request{Method: http.MethodGet, Resource: "resourceclaims"})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if agents, sent := got.Header["User-Agent"]; sent {
		t.Errorf("a User-Agent was sent: %q", agents)
	}
}

func TestPathsAreOneSegmentAPart(t *testing.T) {
	tests := map[string]struct {
		request Request
		want    string // "" for a bad request
	}{
		"a list of all namespaces":                {Request{Resource: "resourceclaims"}, "/resourceclaims"},
		"a resource without namespaces":           {Request{Resource: "deviceclasses", Name: "gpu"}, "/deviceclasses/gpu"},
		"letters that paths do not have":          {Request{Namespace: "a b", Resource: "resourceclaims", Name: "?x#é"}, "/namespaces/a%20b/resourceclaims/%3Fx%23%C3%A9"},
		"a slash would be another resource":       {Request{Resource: "resourceclaims", Name: "a/status"}, ""},
		"so would one that is escaped":            {Request{Resource: "resourceclaims", Name: "a%2fstatus"}, ""},
		"a namespace may not lead out of its own": {Request{Namespace: "..", Resource: "resourceclaims"}, ""},
		"nor a name":        {Request{Namespace: "a", Resource: "resourceclaims", Name: ".."}, ""},
		"nor a resource":    {Request{Resource: "../../../../api/v1/secrets"}, ""},
		"nor a subresource": {Request{Resource: "resourceclaims", Name: "a", Subresource: "../b"}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := (&Client{}).address(test.request)
			if test.want == "" {
				if !apierrors.IsBadRequest(err) {
					t.Errorf("want a bad request, got %q and %v", got, err)
				}
				return
			}
			if err != nil || got != test.want {
				t.Errorf("want %q, got %q and %v", test.want, got, err)
			}
		})
	}
}

func TestErrorsAreThoseOfTheAPI(t *testing.T) {
	refuses, _ := storeOf(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	breaks, _ := storeOf(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	away := storeThatIsAway(t)
	tests := map[string]struct {
		client       *Client
		user, method string
		want         func(error) bool
	}{
		"a store that does not know us does not make its caller log in":           {refuses, "alice", http.MethodPost, unavailableSoon},
		"a store that breaks off a read":                                          {breaks, "alice", http.MethodGet, unavailableSoon},
		"a store that breaks off a write may have made it: nobody tries it again": {breaks, "alice", http.MethodPost, outcomeUnknown},
		"and so may a delete have been":                                           {breaks, "alice", http.MethodDelete, outcomeUnknown},
		"a store that is not reached has made nothing":                            {away, "alice", http.MethodPost, unavailableSoon},
		"nobody is not asked for":                                                 {breaks, "", http.MethodPost, apierrors.IsUnauthorized},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: test.user})
			resp, err := test.client.AsCaller(ctx, Request{Method: test.method, Resource: "resourceclaims"})
			if err == nil {
				_ = resp.Body.Close()
			}
			if !test.want(err) {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("the error names an address: %v", err)
			}
		})
	}
}

func unavailableSoon(err error) bool {
	seconds, soon := apierrors.SuggestsClientDelay(err)
	return apierrors.IsServiceUnavailable(err) && soon && seconds == retryAfter
}

func outcomeUnknown(err error) bool {
	_, again := apierrors.SuggestsClientDelay(err)
	return apierrors.IsTimeout(err) && !again && strings.Contains(err.Error(), "whether the write was made is not known")
}

// storeThatIsAway is at an address where nobody listens any more, after it answered there.
func storeThatIsAway(t *testing.T) *Client {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(ok))
	client, err := New(&rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, caller.Constrained, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"})
	resp, err := client.AsCaller(ctx, Request{Method: http.MethodGet, Resource: "resourceclaims"})
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	server.Close()
	utilnet.CloseIdleConnectionsFor(client.transport) // what is written to a connection that ends a moment later may have been heard
	return client
}

func TestAKubeconfigThatActsAsAnotherIsRefused(t *testing.T) {
	_, err := New(&rest.Config{Host: "https://localhost", Impersonate: rest.ImpersonationConfig{UserName: "admin"}}, caller.Constrained, "")
	if err == nil || errors.Is(err, http.ErrAbortHandler) {
		t.Errorf("got %v", err)
	}
}
