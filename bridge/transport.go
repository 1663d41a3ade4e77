package bridge

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// AbsentPolicy selects the response if the cluster serves none of v1, v1beta2 and v1beta1 of resource.k8s.io, for
// example because dynamic resource allocation is off.
type AbsentPolicy string

const (
	// AbsentNotFound forwards requests, so that the cluster responds with 404. A scheduler or an autoscaler that uses
	// v1 then waits for its informers indefinitely.
	AbsentNotFound AbsentPolicy = "notfound"
	// AbsentEmpty responds as a cluster without such objects: lists are empty, watches have no events until the cluster
	// serves one of the versions, and writes are rejected. If the cluster served one of the versions before, requests
	// are forwarded instead, because clients would treat an empty list as the deletion of all objects.
	AbsentEmpty AbsentPolicy = "empty"
)

// Options are the options of a transport. The zero value is ready to use.
type Options struct {
	// Absent is [AbsentNotFound] by default, which is the behavior without the bridge.
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
	// onlyPrefix is the only path prefix for which requests are translated, or nil for any. A proxy sets it: otherwise,
	// a client could make it read the versions from a path that is not the cluster's.
	onlyPrefix *string

	cachedVersions atomic.Pointer[servedVersions]
	logged         sync.Map // keys of messages that were logged
}

func newTransport(next http.RoundTripper, o Options) *transport {
	t := &transport{Options: o, next: next}
	t.cachedVersions.Store(&servedVersions{})
	return t
}

// WrappedRoundTripper returns the wrapped transport. client-go calls it to close idle connections.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	prefix, _, ok := transcode.SplitPath(r.URL)
	if !ok || t.onlyPrefix != nil && *t.onlyPrefix != prefix {
		return t.next.RoundTrip(r)
	}
	target, isInGroup := transcode.ParseTarget(r.URL)
	if !isInGroup {
		return t.forwardOrDiscover(r)
	}
	if !slices.Contains(jsonconvert.Versions(), target.Version) {
		return t.next.RoundTrip(r)
	}
	served, discoveryErr := t.versions(r)
	if discoveryErr != nil { // let the cluster respond
		resp, err := t.next.RoundTrip(r)
		if err == nil && target.IsResource() && isUnknownPath(resp) {
			return retryLater(r, resp), nil
		}
		return resp, err
	}
	resp, err := t.route(r, target, served)
	if err != nil || served.newest() == "" || !isUnknownPath(resp) {
		return resp, err
	}
	t.markStale()
	if !target.IsResource() {
		return resp, nil
	}
	return t.respondUnserved(r, resp), nil
}

// respondUnserved returns the response for a resource that the cluster does not know in a version that it served
// before. Clients would treat the 404 of the cluster as the deletion of an object. They repeat a request after 503. If
// the cluster does not serve the group any more, the response is the 404.
func (t *transport) respondUnserved(r *http.Request, notFound *http.Response) *http.Response {
	current, err := t.fetchVersions(r)
	if err == nil && current.newest() == "" {
		return notFound
	}
	if err == nil {
		t.cachedVersions.Store(&current)
	}
	return retryLater(r, notFound)
}

// retryLater returns a response with the code 503 instead of a 404 that does not mean that an object does not exist.
func retryLater(r *http.Request, notFound *http.Response) *http.Response {
	_ = notFound.Body.Close()
	return transcode.RetryResponse(r, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable,
		"the versions of resource.k8s.io that the cluster serves are changing or unknown: repeat the request")
}

// route forwards a request for a served version, and translates any other to the newest served version. It responds to
// discovery itself, and to all requests if the cluster serves none of the versions.
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

const (
	// unknownPathMessage is the message of an API server for a path that it does not serve, in a Status of any encoding.
	// If the server does not serve any version of the group, the response is plain text.
	unknownPathMessage = "the server could not find the requested resource"
	// maxStatusBytes is more than the size of such a Status.
	maxStatusBytes = 4 << 10
)

// isUnknownPath reports whether the response says that the API server does not serve the version or the resource in the
// path.
func isUnknownPath(resp *http.Response) bool {
	if resp.StatusCode != http.StatusNotFound {
		return false
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/") {
		return true
	}
	status, _ := io.ReadAll(io.LimitReader(resp.Body, maxStatusBytes)) // a client gets the error when it reads the body
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(status), resp.Body), resp.Body}
	return bytes.Contains(status, []byte(unknownPathMessage))
}

// discoveryRequest returns a request for a discovery document, with the host and the credentials of a client's request.
func discoveryRequest(r *http.Request, path string) *http.Request {
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
	prefix, _, _ := transcode.SplitPath(r.URL)
	prefix, _ = url.PathUnescape(prefix) // it was valid before
	return prefix
}
