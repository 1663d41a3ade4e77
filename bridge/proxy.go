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

// ProxyOptions are the options of a proxy.
type ProxyOptions struct {
	Options
	// CallersOnly rejects requests without credentials, instead of sending them with those of the configuration.
	CallersOnly bool
}

const (
	// watchBuffer in bytes is kept for as long as a watch or a log stream lasts.
	watchBuffer = 2 << 10
	// copyBuffer in bytes is for all other responses, such as long lists.
	copyBuffer = 64 << 10
)

// Proxy returns a handler that forwards requests to the cluster of a configuration, and translates them like
// [Transport]. Use it for programs whose configuration you can't wrap.
//
// A request with its own credentials, in an Authorization header or as the token of a WebSocket, is sent with them and
// without those of the configuration. A request with ambiguous credentials is rejected. Host and scheme are always
// those of the configuration. The client follows redirects. Streams, watches and upgrades are forwarded as they come.
func Proxy(config *rest.Config, o ProxyOptions) (http.Handler, error) {
	if o.Absent != "" && o.Absent != Empty && o.Absent != NotFound {
		return nil, fmt.Errorf("absent: unknown %q, must be %s or %s", o.Absent, Empty, NotFound)
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	if o.CallersOnly {
		config = rest.AnonymousClientConfig(config)
	}
	clusterTransport, err := newClusterTransport(config)
	if err != nil {
		return nil, err
	}
	translating := newTransport(clusterTransport, o.Options)
	prefix := strings.TrimSuffix(server.EscapedPath(), "/")
	translating.prefix = &prefix
	newHandler := func(buffer int) http.Handler {
		return &httputil.ReverseProxy{
			Rewrite:       rewriteTo(server),
			Transport:     translating,
			FlushInterval: -1,
			BufferPool:    bufferPool{&sync.Pool{New: func() any { return make([]byte, buffer) }}},
			ErrorHandler:  connectionErrorHandler(o),
		}
	}
	return proxy{callersOnly: o.CallersOnly, streams: newHandler(watchBuffer), others: newHandler(copyBuffer)}, nil
}

type proxy struct {
	callersOnly     bool
	streams, others http.Handler
}

func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The credentials are checked before any of the body is read.
	if err := checkIdentity(r.Header); err != nil {
		reject(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	if p.callersOnly && !hasCredentials(r.Header) {
		reject(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized,
			"this proxy has no credentials of its own: send those of the pod's service account")
		return
	}
	if transcode.IsTrue(r.URL, "watch") || transcode.IsTrue(r.URL, "follow") {
		p.streams.ServeHTTP(w, r)
	} else {
		p.others.ServeHTTP(w, r)
	}
}

// rewriteTo returns a function that sends a request to the API server with the client's own credentials. Without it,
// the header Connection could remove them.
func rewriteTo(server *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		r.Out.Host = server.Host
		for name, value := range r.In.Header {
			if name == authorization || name == webSocketProtocol || strings.HasPrefix(name, "Impersonate-") {
				r.Out.Header[name] = value
			}
		}
	}
}

type bufferPool struct{ *sync.Pool }

func (p bufferPool) Get() []byte  { return p.Pool.Get().([]byte) }
func (p bufferPool) Put(b []byte) { p.Pool.Put(b) } //nolint:staticcheck // the header of a slice is small

// connectionErrorHandler returns a handler for requests whose connection to the API server failed. It returns the error
// as text, like kubectl proxy: kubectl prints a text for any path, but a Status only where it decodes one.
func connectionErrorHandler(o ProxyOptions) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() != nil { // the client closed the connection
			panic(http.ErrAbortHandler)
		}
		o.logger().Error(err, "Cannot reach the API server", "method", r.Method, "path", r.URL.Path)
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func reject(w http.ResponseWriter, code int32, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(newStatus(code, reason, message))
}

// clusterTransport sends requests with the credentials of the configuration or of the client. Upgrades need HTTP/1.1.
type clusterTransport struct {
	withConfigured, withClients               http.RoundTripper
	upgradeWithConfigured, upgradeWithClients http.RoundTripper
}

func newClusterTransport(config *rest.Config) (*clusterTransport, error) {
	configured := rest.CopyConfig(config)
	configured.DisableCompression = true // the client and the server negotiate it
	upgrade := rest.CopyConfig(configured)
	upgrade.NextProtos = []string{"http/1.1"}
	configured.NextProtos = nil
	var t clusterTransport
	for _, c := range []struct {
		transport *http.RoundTripper
		config    *rest.Config
	}{
		{&t.withConfigured, configured},
		{&t.withClients, rest.AnonymousClientConfig(configured)},
		{&t.upgradeWithConfigured, upgrade},
		{&t.upgradeWithClients, rest.AnonymousClientConfig(upgrade)},
	} {
		var err error
		if *c.transport, err = rest.TransportFor(c.config); err != nil {
			return nil, err
		}
	}
	return &t, nil
}

func (t *clusterTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	isUpgrade := r.Header.Get("Upgrade") != ""
	hasOwn := hasCredentials(r.Header)
	switch {
	case hasOwn && isUpgrade:
		return t.upgradeWithClients.RoundTrip(r)
	case hasOwn:
		return t.withClients.RoundTrip(r)
	case isUpgrade:
		return t.upgradeWithConfigured.RoundTrip(r)
	}
	return t.withConfigured.RoundTrip(r)
}
