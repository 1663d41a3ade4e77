package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// ProxyOptions of a handler that passes requests on to a cluster.
type ProxyOptions struct {
	Options
	// CallersOnly refuses requests that bring no credentials of their own, instead of sending them with those of the configuration.
	CallersOnly bool
}

// Proxy passes requests on to the cluster of a configuration, with a bridge between: for programs in which there is no configuration to wrap.
// A request with credentials of its own, in an Authorization header, is sent with them and with nothing of the configuration's. Host and scheme
// are always the configuration's, redirects are the client's to follow, and streams, watches and upgrades go through as they come.
func Proxy(config *rest.Config, o ProxyOptions) (http.Handler, error) {
	if o.Absent != "" && o.Absent != Empty && o.Absent != NotFound {
		return nil, fmt.Errorf("absent: unknown %q, must be %s or %s", o.Absent, Empty, NotFound)
	}
	to, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	lanes, err := newLanes(config, o.CallersOnly)
	if err != nil {
		return nil, err
	}
	transport := Transport(o.Options)(lanes)
	through := func(buffer int) http.Handler {
		return &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(to)
				r.Out.Host = to.Host
			},
			Transport:     transport,
			FlushInterval: -1,
			BufferPool:    pool{&sync.Pool{New: func() any { return make([]byte, buffer) }}},
			ErrorHandler:  unanswered(o),
		}
	}
	// A watch, or a log that is followed, keeps its buffer for as long as it lasts. What is in another is flushed at once, so that a long list
	// is sent in few pieces.
	lasting, others := through(2<<10), through(64<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := others
		if transcode.Asks(r.URL, "watch") || transcode.Asks(r.URL, "follow") {
			to = lasting
		}
		to.ServeHTTP(w, r)
	}), nil
}

// pool of buffers.
type pool struct{ *sync.Pool }

func (p pool) Get() []byte  { return p.Pool.Get().([]byte) }
func (p pool) Put(b []byte) { p.Pool.Put(b) } //nolint:staticcheck // a header of a slice is nothing beside a request

// unanswered says so, as API servers do.
func unanswered(o ProxyOptions) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() != nil { // the caller has gone
			panic(http.ErrAbortHandler)
		}
		code, reason, message := http.StatusBadGateway, metav1.StatusReason("BadGateway"), "the API server does not answer: "+err.Error()
		if err == errNoCredentials { //nolint:errorlint // ours, as it is
			code, reason, message = http.StatusUnauthorized, metav1.StatusReasonUnauthorized, err.Error()
		} else {
			o.logger().Error(err, "The API server does not answer", "method", r.Method, "path", r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(status(int32(code), reason, message)) //nolint:gosec // a code of HTTP
	}
}

// lanes to a cluster: with the configuration's credentials or the caller's, over HTTP/2 or, for upgrades, HTTP/1.1.
type lanes struct {
	own, callers [2]http.RoundTripper
	callersOnly  bool
}

func newLanes(config *rest.Config, callersOnly bool) (*lanes, error) {
	l := &lanes{callersOnly: callersOnly}
	for i, protocols := range [][]string{nil, {"http/1.1"}} {
		var err error
		own, callers := rest.CopyConfig(config), rest.AnonymousClientConfig(config)
		own.NextProtos, callers.NextProtos = protocols, protocols
		own.DisableCompression, callers.DisableCompression = true, true // whether to compress is between the client and the server
		if l.own[i], err = rest.TransportFor(own); err != nil {
			return nil, err
		}
		if l.callers[i], err = rest.TransportFor(callers); err != nil {
			return nil, err
		}
	}
	return l, nil
}

var errNoCredentials = fmt.Errorf("this proxy has no credentials of its own: send those of the pod's service account")

func (l *lanes) RoundTrip(r *http.Request) (*http.Response, error) {
	lane := 0
	if r.Header.Get("Upgrade") != "" {
		lane = 1
	}
	switch {
	case r.Header.Get("Authorization") != "":
		return l.callers[lane].RoundTrip(r)
	case l.callersOnly:
		return nil, errNoCredentials
	}
	return l.own[lane].RoundTrip(r)
}
