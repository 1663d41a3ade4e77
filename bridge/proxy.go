package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// ProxyOptions of a handler that passes requests on to a cluster.
type ProxyOptions struct {
	Options
	// CallersOnly rejects requests without credentials, instead of sending them with those of the configuration.
	CallersOnly bool
}

// Proxy passes requests on to the cluster of a configuration, with a bridge between: for programs
// in which there is no configuration to wrap. A request with its own credentials, in an
// Authorization header or as the token of a WebSocket, is sent with them and with nothing of the
// configuration's. One whose credentials are ambiguous is rejected. Host and scheme are always the
// configuration's, redirects are the client's to follow, and streams, watches and upgrades go
// through as they come.
func Proxy(config *rest.Config, o ProxyOptions) (http.Handler, error) {
	if o.Absent != "" && o.Absent != Empty && o.Absent != NotFound {
		return nil, fmt.Errorf("absent: unknown %q, must be %s or %s", o.Absent, Empty, NotFound)
	}
	to, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	if o.CallersOnly {
		config = rest.AnonymousClientConfig(config)
	}
	lanes, err := newLanes(config)
	if err != nil {
		return nil, err
	}
	transport := Transport(o.Options)(lanes).(*transport)
	transport.only = new(strings.TrimSuffix(to.EscapedPath(), "/"))
	through := func(buffer int) http.Handler {
		return &httputil.ReverseProxy{
			Rewrite:       rewriteTo(to),
			Transport:     transport,
			FlushInterval: -1,
			BufferPool:    pool{&sync.Pool{New: func() any { return make([]byte, buffer) }}},
			ErrorHandler:  unanswered(o),
		}
	}
	// A watch, or a log that is followed, keeps its buffer for as long as it lasts; a long list is sent in few pieces.
	lasting, others := through(2<<10), through(64<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before anything of the body is read.
		if err := checkIdentity(r.Header); err != nil {
			refuse(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
			return
		}
		if o.CallersOnly && !hasCredentials(r.Header) {
			refuse(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized,
				"this proxy has no credentials of its own: send those of the pod's service account")
			return
		}
		to := others
		if transcode.Asks(r.URL, "watch") || transcode.Asks(r.URL, "follow") {
			to = lasting
		}
		to.ServeHTTP(w, r)
	}), nil
}

// rewriteTo sends a request to the API server with the identity that its sender gave, also where the header Connection
// says that this is for the proxy alone.
func rewriteTo(to *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = to.Host
		for name, value := range r.In.Header {
			if name == authorization || name == webSocketProtocol || strings.HasPrefix(name, "Impersonate-") {
				r.Out.Header[name] = value
			}
		}
	}
}

// pool of buffers.
type pool struct{ *sync.Pool }

func (p pool) Get() []byte  { return p.Pool.Get().([]byte) }
func (p pool) Put(b []byte) { p.Pool.Put(b) } //nolint:staticcheck // a header of a slice is nothing beside a request

// unanswered answers a request whose connection to the API server failed, with the error as text: kubectl prints that
// of any path, as it does with kubectl proxy, and a Status in JSON only where it decodes one.
func unanswered(o ProxyOptions) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() != nil { // the caller has gone
			panic(http.ErrAbortHandler)
		}
		o.logger().Error(err, "Cannot reach the API server", "method", r.Method, "path", r.URL.Path)
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func refuse(w http.ResponseWriter, code int32, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(status(code, reason, message))
}

// lanes to a cluster: with the configuration's credentials or the caller's, over HTTP/2 or, for upgrades, HTTP/1.1.
type lanes struct{ own, callers [2]http.RoundTripper }

func newLanes(config *rest.Config) (l *lanes, err error) {
	l = &lanes{}
	for i, protocols := range [][]string{nil, {"http/1.1"}} {
		own := rest.CopyConfig(config)
		// whether to compress is between the client and the server
		own.NextProtos, own.DisableCompression = protocols, true
		if l.own[i], err = rest.TransportFor(own); err != nil {
			return nil, err
		}
		if l.callers[i], err = rest.TransportFor(rest.AnonymousClientConfig(own)); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lanes) RoundTrip(r *http.Request) (*http.Response, error) {
	to := l.own
	if hasCredentials(r.Header) {
		to = l.callers
	}
	if r.Header.Get("Upgrade") != "" {
		return to[1].RoundTrip(r)
	}
	return to[0].RoundTrip(r)
}
