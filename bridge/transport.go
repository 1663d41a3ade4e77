package bridge

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// AbsentPolicy selects the response if the cluster serves none of v1, v1beta2 and v1beta1 of resource.k8s.io, for

// example because dynamic resource allocation is off.
type AbsentPolicy string

const (
	// AbsentNotFound forwards requests, so that the cluster responds with 404. A scheduler or an autoscaler of v1 then
	// waits for its informers indefinitely.
	AbsentNotFound AbsentPolicy = "notfound"
	// AbsentEmpty responds as a cluster without such objects: lists are empty, watches have no events until the cluster
	// serves one of the versions, and writes are rejected. If the cluster served one of the versions before, requests
	// are forwarded instead, because clients would treat an empty list as the deletion of all objects.
	AbsentEmpty AbsentPolicy = "empty"
)

// Options of a transport. The zero value is ready to use.
type Options struct {
	// Absent is [AbsentNotFound] by default, as without the bridge.
	Absent AbsentPolicy
}

// Transport returns a wrapper for [k8s.io/client-go/rest.Config.Wrap]. Use a separate one for each cluster.
func Transport(o Options) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return newTransport(next, o) }
}

// transport translates requests for versions that the cluster does not serve.
type transport struct {
	Options
	next http.RoundTripper
	// onlyPrefix is the only prefix of paths that are translated, or nil for any. A proxy sets it: otherwise, a client
	// could make it read the versions from a path that is not the cluster's.
	onlyPrefix *string

	served atomic.Pointer[servedVersions]
	logged sync.Map // keys of lines that were logged
}

func newTransport(next http.RoundTripper, o Options) *transport {
	t := &transport{Options: o, next: next}
	t.served.Store(&servedVersions{})
	return t
}

// WrappedRoundTripper is for client-go, which closes idle connections of the wrapped transport.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	prefix, _, ok := transcode.Split(r.URL)
	if !ok || t.onlyPrefix != nil && *t.onlyPrefix != prefix {
		return t.next.RoundTrip(r)
	}
	target, isInGroup := transcode.Parse(r.URL)
	switch {
	case !isInGroup:
		return t.respondToDiscovery(r)
	case !slices.Contains(jsonconvert.Versions(), target.Version):
		return t.next.RoundTrip(r)
	}
	served, err := t.cachedOrReadVersions(r)
	if err != nil { // the cluster responds to the request itself
		return t.next.RoundTrip(r)
	}
	resp, err := t.route(r, target, served)
	if err == nil && isUnknownPath(resp) && served.newest() != "" {
		t.markStale()
	}
	return resp, err
}

// route forwards a request for a served version, and otherwise answers for an absent group, answers discovery, or
// translates the request to the newest served version.
func (t *transport) route(r *http.Request, target transcode.Target, served servedVersions) (*http.Response, error) {
	newest := served.newest()
	switch {
	case slices.Contains(served.names, target.Version):
		return t.next.RoundTrip(r)
	case newest == "":
		return t.respondAbsent(r, target)
	case target.IsVersionDocument && r.Method == http.MethodGet:
		return t.resourceListResponse(r, target, newest)
	}
	t.logOnce("translate "+target.Version, "Translating requests to a served version",
		"requested", target.Version, "served", newest)
	return transcode.Translator{Next: t.next, ServedVersion: newest}.Translate(r, target)
}

func (t *transport) logOnce(key, message string, values ...any) {
	if _, isLogged := t.logged.LoadOrStore(key, true); !isLogged {
		klog.InfoS(message, values...)
	}
}

// isUnknownPath reports whether an API server does not serve the path of a request: the version, or the resource. It
// then responds with a text instead of a Status.
func isUnknownPath(resp *http.Response) bool {
	return resp.StatusCode == http.StatusNotFound && !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/")
}

// getRequest returns a request for another document of the same cluster, with the credentials of a request.
func getRequest(r *http.Request, path string) *http.Request {
	get := r.Clone(r.Context())
	get.Method = http.MethodGet
	get.Body = nil
	get.GetBody = nil
	get.ContentLength = 0
	get.TransferEncoding = nil
	get.URL = &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: path}
	for _, name := range []string{
		"Accept-Encoding", "Content-Type", "Content-Length", "If-None-Match", "If-Modified-Since", "Upgrade",
		"Connection",
	} {
		get.Header.Del(name)
	}
	get.Header.Set("Accept", "application/json")
	return get
}

// pathPrefix returns the part of the path of a request before /apis.
func pathPrefix(r *http.Request) string {
	prefix, _, _ := transcode.Split(r.URL)
	prefix, _ = url.PathUnescape(prefix) // it was valid before
	return prefix
}
