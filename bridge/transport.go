package bridge

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// Absent selects the response for a kind of which the cluster serves no version, for example because dynamic resource
// allocation is off.
type Absent string

const (
	// NotFound forwards requests, so that the cluster responds with 404. A scheduler or an autoscaler of v1 then waits for
	// its informers indefinitely.
	NotFound Absent = "notfound"
	// Empty responds as a cluster without such objects: lists are empty, watches have no events until the cluster serves
	// the group, and writes are rejected.
	Empty Absent = "empty"
)

// Options of a transport. The zero value is ready to use.
type Options struct {
	// Absent selects the response if the cluster does not serve the group. Default: NotFound, as without the bridge.
	Absent Absent
	// Refresh is the interval after which the served versions are read again. They are read earlier if the cluster no
	// longer serves a known version. Default: 5 minutes, which is less than an upgrade of a cluster takes.
	Refresh time.Duration
	// Logger logs which versions are translated. Default: klog.
	Logger *klog.Logger
}

// Transport returns a wrapper for [k8s.io/client-go/rest.Config.Wrap]. Use a separate one for each cluster.
func Transport(o Options) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return newTransport(next, o) }
}

func (o Options) logger() klog.Logger {
	if o.Logger != nil {
		return *o.Logger
	}
	return klog.Background()
}

// transport translates requests for versions that the cluster does not serve.
type transport struct {
	Options
	next http.RoundTripper
	// prefix of the paths that are translated. nil: any. A proxy has the one of its cluster, because a client must not
	// make it discover versions below another path.
	prefix *string

	served atomic.Pointer[servedVersions]
	logged sync.Map // keys of lines that were logged
}

func newTransport(next http.RoundTripper, o Options) *transport {
	o.Refresh = cmp.Or(o.Refresh, 5*time.Minute)
	t := &transport{Options: o, next: next}
	t.served.Store(&servedVersions{})
	return t
}

// WrappedRoundTripper is for client-go, which closes idle connections of the wrapped transport.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	prefix, _, ok := transcode.Split(r.URL)
	if !ok || t.prefix != nil && *t.prefix != prefix {
		return t.next.RoundTrip(r)
	}
	target, isInGroup := transcode.Parse(r.URL)
	switch {
	case !isInGroup:
		return t.discover(r)
	case !slices.Contains(unstructured.Versions(), target.Version):
		return t.next.RoundTrip(r)
	}
	served, err := t.servedVersions(r)
	if err != nil { // the cluster responds to the request itself
		return t.next.RoundTrip(r)
	}
	resp, err := t.translate(r, target, served)
	if err == nil && isUnknownVersion(resp) {
		t.forgetVersions()
	}
	return resp, err
}

// translate sends a request in the requested version, or in the newest one that the cluster serves.
func (t *transport) translate(r *http.Request, target transcode.Target, served servedVersions) (*http.Response, error) {
	newest := served.newest()
	switch {
	case slices.Contains(served.names, target.Version):
		return t.next.RoundTrip(r)
	case newest == "":
		return t.respondAbsent(r, target)
	case target.IsVersion(r.URL) && r.Method == http.MethodGet:
		return t.discoverResources(r, target, newest)
	}
	t.logOnce("translate "+target.Version, "Translating requests to a served version",
		"requested", target.Version, "served", newest)
	return transcode.Cluster{Next: t.next, Version: newest}.RoundTrip(r, target)
}

func (t *transport) logOnce(key, message string, values ...any) {
	if _, isLogged := t.logged.LoadOrStore(key, true); !isLogged {
		t.logger().Info(message, values...)
	}
}

// isUnknownVersion reports whether an API server does not serve the version of a request. It then responds with a text
// instead of a Status.
func isUnknownVersion(resp *http.Response) bool {
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
