package bridge

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// Absent is what a client gets of a kind of which the cluster serves no version, as where dynamic
// resource allocation is off.
type Absent string

const (
	// NotFound passes requests through, so that the cluster answers 404. A scheduler or an
	// autoscaler of v1 waits for its informers then, indefinitely.
	NotFound Absent = "notfound"
	// Empty answers for a cluster that has no such objects: lists are empty, watches silent until
	// there is the group, writes refused.
	Empty Absent = "empty"
)

// Options of a transport. The zero value is good.
type Options struct {
	// Absent is what is answered where the cluster does not have the group. Default: NotFound, as clients know it.
	Absent Absent
	// Refresh is the interval after which the served versions are read again. They are read earlier if the cluster no
	// longer serves a known version. Default: 5 minutes, which is less than an upgrade of a cluster takes.
	Refresh time.Duration
	// Logger logs which versions are bridged. Default: klog.
	Logger *klog.Logger
}

// Transport is for [k8s.io/client-go/rest.Config.Wrap], once for each configuration: what is known
// of a cluster belongs to its transport.
func Transport(o Options) func(http.RoundTripper) http.RoundTripper {
	o.Refresh = cmp.Or(o.Refresh, 5*time.Minute)
	return func(next http.RoundTripper) http.RoundTripper {
		t := &transport{Options: o, next: next}
		t.known.Store(&served{})
		return t
	}
}

func (o Options) logger() klog.Logger {
	if o.Logger != nil {
		return *o.Logger
	}
	return klog.Background()
}

// transport answers what the cluster does not.
type transport struct {
	Options
	next http.RoundTripper
	// only is the prefix of the cluster's paths where requests are of others, who must not ask
	// below another one what it serves.
	only *string

	known atomic.Pointer[served]
	told  sync.Map // what the log was told
}

// WrappedRoundTripper is for client-go, which looks for what it may close or cancel.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if prefix, _, ok := transcode.Split(r.URL); !ok || t.only != nil && *t.only != prefix {
		return t.next.RoundTrip(r)
	}
	target, ours := transcode.Parse(r.URL)
	if !ours {
		if edit := t.document(r); edit != nil {
			return edit(r)
		}
		return t.next.RoundTrip(r)
	}
	whole := slices.Contains(kinds.Whole, target.Version)
	if !whole && !slices.Contains(kinds.Views, target.Version) {
		return t.next.RoundTrip(r)
	}
	known, err := t.versions(r, false)
	if err != nil { // the cluster responds to the request itself
		return t.next.RoundTrip(r)
	}
	var resp *http.Response
	switch from := known.newest(); {
	case slices.Contains(known.versions, target.Version):
		resp, err = t.next.RoundTrip(r)
	case from == "" && !known.absent(), !whole && from != kinds.Whole[0]:
		return t.next.RoundTrip(r)
	case from == "":
		return t.answerAbsent(r, &target)
	case target.IsVersion(r.URL) && r.Method == http.MethodGet:
		return t.resources(r, target, from)
	default:
		t.log("bridged "+target.Version,
			"A version that the cluster does not serve is answered from one that it serves",
			"version", target.Version, "from", from)
		cluster := transcode.Cluster{Next: t.next, Version: from, Release: t.release}
		resp, err = cluster.RoundTrip(r, target)
	}
	if err == nil && gone(resp) {
		t.forget()
	}
	return resp, err
}

// log a line once.
func (t *transport) log(key, message string, values ...any) {
	if _, again := t.told.LoadOrStore(key, true); !again {
		t.logger().Info(message, values...)
	}
}

// gone tells whether an API server answered as it does for a version that it does not serve: by a
// text, and not by a Status.
func gone(resp *http.Response) bool {
	return resp.StatusCode == http.StatusNotFound && !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/")
}

// at is another path of the cluster that a request is for, with the request's own credentials.
func at(r *http.Request, prefix, path string) *http.Request {
	asked := r.Clone(r.Context())
	asked.Method = http.MethodGet
	asked.Body = nil
	asked.GetBody = nil
	asked.ContentLength = 0
	asked.TransferEncoding = nil
	asked.URL = &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: prefix + path}
	for _, name := range []string{
		"Accept-Encoding", "Content-Type", "Content-Length", "If-None-Match", "If-Modified-Since", "Upgrade",
		"Connection",
	} {
		asked.Header.Del(name)
	}
	asked.Header.Set("Accept", "application/json")
	return asked
}

var errNotAsked = errors.New("cannot discover the versions that the cluster serves")
