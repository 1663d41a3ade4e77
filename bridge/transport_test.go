package bridge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	groupPath        = "/apis/resource.k8s.io"
	claimOverV1      = groupPath + "/v1/namespaces/a/resourceclaims/b"
	claimOverV1beta1 = groupPath + "/v1beta1/namespaces/a/resourceclaims/b"
)

// unknownPathStatus is the response of Kubernetes 1.36 for a version that it does not serve, if it serves another one.
const unknownPathStatus = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
	`"message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404}`

// fakeAPIServer has documents at some paths, and the 404 of an API server at any other. It serves v1beta1 by default.
type fakeAPIServer struct {
	*httptest.Server

	mutex     sync.Mutex
	documents map[string]string
	requests  map[string]int // by path
}

func newFakeAPIServer(t *testing.T, documents map[string]string) *fakeAPIServer {
	t.Helper()
	s := &fakeAPIServer{
		documents: map[string]string{groupPath: groupDocument("v1beta1")},
		requests:  map[string]int{},
	}
	for path, document := range documents {
		s.documents[path] = document
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeAPIServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests[r.URL.Path]++
	document, ok := s.documents[r.URL.Path]
	_, hasGroup := s.documents[groupPath]
	switch {
	case !ok && hasGroup && strings.HasPrefix(r.URL.Path, groupPath):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, unknownPathStatus)
	case !ok:
		http.Error(w, "404 page not found", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, document)
	}
}

func (s *fakeAPIServer) set(path, document string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.documents[path] = document
}

func (s *fakeAPIServer) remove(path string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.documents, path)
}

func (s *fakeAPIServer) count(path string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.requests[path]
}

func groupDocument(versions ...string) string {
	group := metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: "resource.k8s.io"}
	for _, v := range versions {
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
			GroupVersion: "resource.k8s.io/" + v, Version: v,
		})
	}
	document, _ := json.Marshal(group)
	return string(document)
}

// get returns the response through a transport.
func get(t *testing.T, transport http.RoundTripper, url string) (code int, body string) {
	t.Helper()
	resp, err := transport.RoundTrip(httptest.NewRequest(http.MethodGet, url, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(content)
}

// TestUnknownPathsDoNotRepeatDiscovery checks that a client that requests unknown paths does not make the bridge read
// the versions for every request.
func TestUnknownPathsDoNotRepeatDiscovery(t *testing.T) {
	for name, versions := range map[string][]string{"with a version": {"v1beta1"}, "without a version": {"v1alpha3"}} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, map[string]string{groupPath: groupDocument(versions...)})
			transport := newTransport(http.DefaultTransport, Options{})
			begin := time.Now()
			for i := range 50 {
				if code, body := get(t, transport, fmt.Sprintf("%s%s/v1beta1/unknown-%d", cluster.URL, groupPath, i)); code != 404 {
					t.Fatalf("%d: %s", code, body)
				}
			}
			limit := 2 + int(time.Since(begin)/staleRefreshInterval)
			if reads := cluster.count(groupPath); reads > limit {
				t.Errorf("the versions were read %d times, more than %d", reads, limit)
			}
		})
	}
}

// TestFailedDiscoveryIsNotRepeated checks that the bridge does not try to read the versions for every request while it
// cannot read them.
func TestFailedDiscoveryIsNotRepeated(t *testing.T) {
	for name, breakDiscovery := range map[string]func(*fakeAPIServer){
		"not a group": func(cluster *fakeAPIServer) { cluster.set(groupPath, "{}") },
		"no group":    func(cluster *fakeAPIServer) { cluster.remove(groupPath) },
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, map[string]string{
				claimOverV1beta1: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"b"}}`,
			})
			transport := newTransport(http.DefaultTransport, Options{})
			get(t, transport, cluster.URL+claimOverV1)
			outdated := *transport.cachedVersions.Load()
			outdated.readAt = time.Now().Add(-2 * refreshInterval)
			transport.cachedVersions.Store(&outdated)
			breakDiscovery(cluster)
			begin := time.Now()
			for range 50 {
				if code, body := get(t, transport, cluster.URL+claimOverV1); code != http.StatusOK {
					t.Fatalf("got %d %s, want 200", code, body)
				}
			}
			limit := 2 + int(time.Since(begin)/staleRefreshInterval)
			if reads := cluster.count(groupPath); reads > limit {
				t.Errorf("the versions were read %d times, more than %d", reads, limit)
			}
		})
	}
}

// closeRecorder is the body of a request. It records whether it was closed.
type closeRecorder struct {
	io.Reader
	isClosed bool
}

func (c *closeRecorder) Close() error {
	c.isClosed = true
	return nil
}

// TestBodiesAreClosed checks that the body of a request is closed if the bridge responds itself, as [http.RoundTripper]
// requires.
func TestBodiesAreClosed(t *testing.T) {
	const watchPath = groupPath + "/v1/watch/namespaces/a/resourceclaims"
	for name, test := range map[string]struct {
		documents    map[string]string
		method, path string
	}{
		"write for an absent group": {
			map[string]string{groupPath: groupDocument("v1alpha3")}, http.MethodPost, claimOverV1,
		},
		"list for an absent group": {
			map[string]string{groupPath: groupDocument("v1alpha3")},
			http.MethodGet,
			groupPath + "/v1/namespaces/a/resourceclaims",
		},
		"watch for an absent group": {
			map[string]string{groupPath: groupDocument("v1alpha3")},
			http.MethodGet,
			groupPath + "/v1/namespaces/a/resourceclaims?watch=true&timeoutSeconds=1",
		},
		"unsupported path": {nil, http.MethodGet, watchPath},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, test.documents)
			body := &closeRecorder{Reader: strings.NewReader("{}")}
			r := httptest.NewRequest(test.method, cluster.URL+test.path, nil)
			r.Body = body
			resp, err := newTransport(http.DefaultTransport, Options{Absent: AbsentEmpty}).RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if !body.isClosed {
				t.Error("the body is not closed")
			}
		})
	}
}

// TestVersionsAreReadAgain checks that the bridge notices within [staleRefreshInterval] that a version is no longer
// served, and that it uses the versions that it knows if they cannot be read.
func TestVersionsAreReadAgain(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"b"}}`
	cluster := newFakeAPIServer(t, map[string]string{claimOverV1beta1: fmt.Sprintf(claim, "v1beta1")})
	transport := newTransport(http.DefaultTransport, Options{})
	want := fmt.Sprintf(claim, "v1")
	if code, body := get(t, transport, cluster.URL+claimOverV1); code != http.StatusOK || body != want {
		t.Fatalf("over v1beta1: got %d %s, want 200 %s", code, body, want)
	}
	transport.markStale()
	cluster.set(groupPath, "{}") // not a group
	time.Sleep(staleRefreshInterval)
	if code, body := get(t, transport, cluster.URL+claimOverV1); code != http.StatusOK || body != want {
		t.Errorf("without discovery: got %d %s, want 200 %s", code, body, want)
	}
	cluster.set(groupPath, groupDocument("v1"))
	cluster.remove(claimOverV1beta1)
	cluster.set(claimOverV1, want)
	time.Sleep(staleRefreshInterval)
	if code, body := get(t, transport, cluster.URL+claimOverV1beta1); code != http.StatusOK ||
		body != fmt.Sprintf(claim, "v1beta1") {
		t.Errorf("over v1: got %d %s", code, body)
	}
}

// TestRemovedVersionIsNotADeletion checks that a request gets 503 instead of the 404 of the cluster while the served
// versions change. The request is in the version that the cluster served, or in one that is translated to it. The next
// request uses the new versions.
func TestRemovedVersionIsNotADeletion(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"b"}}`
	for _, path := range []string{claimOverV1beta1, strings.Replace(claimOverV1, "v1", "v1beta2", 1)} {
		t.Run(path, func(t *testing.T) {
			cluster := newFakeAPIServer(t, map[string]string{claimOverV1beta1: fmt.Sprintf(claim, "v1beta1")})
			transport := newTransport(http.DefaultTransport, Options{})
			if code, body := get(t, transport, cluster.URL+path); code != http.StatusOK {
				t.Fatalf("before: got %d %s, want 200", code, body)
			}
			cluster.set(groupPath, groupDocument("v1"))
			cluster.remove(claimOverV1beta1)
			cluster.set(claimOverV1, fmt.Sprintf(claim, "v1"))
			resp, err := transport.RoundTrip(httptest.NewRequest(http.MethodGet, cluster.URL+path, nil))
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "1" {
				t.Errorf("during the change: got %d, Retry-After %q, want 503 and 1", resp.StatusCode,
					resp.Header.Get("Retry-After"))
			}
			if code, body := get(t, transport, cluster.URL+path); code != http.StatusOK {
				t.Errorf("after the change: got %d %s, want 200", code, body)
			}
		})
	}
}

// TestMissingGroupDoesNotEmptyLists checks that a 404 for the group, after the cluster served a version, is not
// reported as an empty list: an informer would delete all its objects.
func TestMissingGroupDoesNotEmptyLists(t *testing.T) {
	const list = `{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1beta1","items":[{"metadata":{"name":"b"}}]}`
	const claims = groupPath + "/v1/resourceclaims"
	cluster := newFakeAPIServer(t, map[string]string{groupPath + "/v1beta1/resourceclaims": list})
	transport := newTransport(http.DefaultTransport, Options{Absent: AbsentEmpty})
	check := func(when string, wantCode int, want string) {
		t.Helper()
		if code, body := get(t, transport, cluster.URL+claims); code != wantCode || !strings.Contains(body, want) {
			t.Errorf("%s: got %d %s, want %d %s", when, code, body, wantCode, want)
		}
	}
	check("before", http.StatusOK, `"b"`)
	cluster.remove(groupPath)
	transport.markStale()
	time.Sleep(staleRefreshInterval)
	check("without the group", http.StatusOK, `"b"`)
	cluster.remove(groupPath + "/v1beta1/resourceclaims")
	check("without the version", http.StatusServiceUnavailable, "repeat the request")
	cluster.set("/apis", `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps"}]}`)
	check("with a list of groups", http.StatusNotFound, "404 page not found")
}

// TestUnknownVersionsAreNotADeletion checks that a 404 is not returned if the versions cannot be read, and that a
// cluster has no group only if its list of groups says so.
func TestUnknownVersionsAreNotADeletion(t *testing.T) {
	for name, test := range map[string]struct {
		documents map[string]string
		want      int
	}{
		"not a group":          {map[string]string{groupPath: "{}"}, http.StatusServiceUnavailable},
		"no list of groups":    {nil, http.StatusServiceUnavailable},
		"not a list of groups": {map[string]string{"/apis": "{}"}, http.StatusServiceUnavailable},
		"a list with the group": {
			map[string]string{"/apis": `{"kind":"APIGroupList","groups":[{"name":"resource.k8s.io"}]}`},
			http.StatusServiceUnavailable,
		},
		"a list without the group": {
			map[string]string{"/apis": `{"kind":"APIGroupList","groups":[{"name":"apps"}]}`}, http.StatusOK,
		},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, test.documents)
			if _, ok := test.documents[groupPath]; !ok {
				cluster.remove(groupPath)
			}
			transport := newTransport(http.DefaultTransport, Options{Absent: AbsentEmpty})
			code, body := get(t, transport, cluster.URL+groupPath+"/v1/resourceclaims")
			if code != test.want {
				t.Errorf("got %d %s, want %d", code, body, test.want)
			}
		})
	}
}

// TestHostileDiscovery checks that discovery documents of a hostile server are limited and are not stored.
func TestHostileDiscovery(t *testing.T) {
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf("v%d", i+100))
	}
	many = append(many, "v1beta1")
	for name, test := range map[string]struct {
		document string
		versions int
	}{
		"many versions":       {groupDocument(many...), 1},
		"the same version":    {groupDocument("v1", "v1", "v1"), 1},
		"a huge document":     {groupDocument("v1", strings.Repeat("v", maxGroupBytes)), 0},
		"deeply nested lists": {strings.Repeat("[", maxGroupBytes-1), 0},
		"another kind":        {`{"kind":"Status","versions":[{"version":"v1"}]}`, 0},
		"a page":              {"<html>", 0},
		"a path as a version": {groupDocument("../../../../api/v1"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := newFakeAPIServer(t, map[string]string{groupPath: test.document})
			transport := newTransport(http.DefaultTransport, Options{})
			get(t, transport, cluster.URL+claimOverV1)
			if names := transport.cachedVersions.Load().names; len(names) != test.versions {
				t.Errorf("got %d versions, want %d", len(names), test.versions)
			}
		})
	}
	cluster := newFakeAPIServer(t, map[string]string{"/apis": strings.Repeat(" ", maxDiscoveryBytes+1)})
	transport := newTransport(http.DefaultTransport, Options{})
	if _, err := transport.RoundTrip(httptest.NewRequest(http.MethodGet, cluster.URL+"/apis", nil)); err == nil ||
		!strings.Contains(err.Error(), "exceeds the limit") {
		t.Errorf("a huge list of groups: %v", err)
	}
}
