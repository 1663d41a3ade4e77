package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// ProxyOptions are the options of a proxy.
type ProxyOptions struct {
	Options
	// RequireCredentials rejects requests without credentials, instead of sending them with those of the configuration.
	RequireCredentials bool
}

const (
	// streamBufferBytes is the size of the copy buffer of a watch or a log stream, which keeps it as long as it lasts.
	streamBufferBytes = 2 << 10
	// bufferBytes is the size of the copy buffer for all other responses, such as long lists.
	bufferBytes = 64 << 10

	// largeBodyBytes is the size above which a body is large. A typical claim has 2 KiB.
	largeBodyBytes = 64 << 10
	// largeProtobufBytes is the same for protobuf. An empty field has two bytes, and some hundred as an object.
	largeProtobufBytes = 8 << 10
	// maxLargeBodies is the maximum number of concurrent requests for resource.k8s.io that have a large body or are
	// patches. Each may need 24 MiB, and a sidecar has 256 MiB.
	maxLargeBodies = 4
	// maxSmallBodies is the maximum number of other concurrent requests for resource.k8s.io with a body. Each may need
	// 1.5 MiB.
	maxSmallBodies = 64
	// bodyWait is how long a request waits for others before it is rejected with 429.
	bodyWait = 10 * time.Second
	// bodyTimeout is the time in which a client must send the body of a request for resource.k8s.io, so that it does not
	// make others wait. An API server ends a write after 34 s.
	bodyTimeout = 30 * time.Second
)

// Proxy returns a handler that forwards requests to the cluster of a configuration, and translates them like
// [Transport]. Use it for programs whose configuration you can't wrap.
//
// Proxy does not check who connects. Without RequireCredentials, any client has the rights of the configuration, so
// serve it only on a loopback address, and reject requests with another Host or Origin. If the configuration
// impersonates a user, a request without credentials must not impersonate another one.
//
// A request with its own credentials, in an Authorization header or as the token of a WebSocket, is sent with them and
// without those of the configuration. A request with ambiguous credentials is rejected. Host and scheme are always
// those of the configuration, and paths are below its path: the segments . and .. are rejected. Redirects are returned
// to the client, not followed. Streams, watches and upgrades are forwarded without buffering.
//
// If the API server cannot be reached, the response is plain text with the code 502. Other errors are a Status.
func Proxy(config *rest.Config, o ProxyOptions) (http.Handler, error) {
	if o.Absent != "" && o.Absent != AbsentEmpty && o.Absent != AbsentNotFound {
		return nil, fmt.Errorf("absent: unknown %q, must be %s or %s", o.Absent, AbsentEmpty, AbsentNotFound)
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	if o.RequireCredentials {
		config = rest.AnonymousClientConfig(config)
	}
	clusterTransport, err := newClusterTransport(config)
	if err != nil {
		return nil, err
	}
	translator := newTransport(clusterTransport, o.Options)
	prefix := strings.TrimSuffix(server.EscapedPath(), "/")
	translator.onlyPrefix = &prefix
	newHandler := func(bufferSize int) http.Handler {
		return &httputil.ReverseProxy{
			Rewrite:       rewriteTo(server),
			Transport:     translator,
			FlushInterval: -1,
			BufferPool:    bufferPool{&sync.Pool{New: func() any { return make([]byte, bufferSize) }}},
			ErrorHandler:  handleError,
		}
	}
	return proxy{
		requireCredentials: o.RequireCredentials,
		impersonates:       !reflect.DeepEqual(config.Impersonate, rest.ImpersonationConfig{}),
		largeBodies:        make(chan struct{}, maxLargeBodies),
		smallBodies:        make(chan struct{}, maxSmallBodies),
		streamHandler:      newHandler(streamBufferBytes),
		defaultHandler:     newHandler(bufferBytes),
	}, nil
}

type proxy struct {
	requireCredentials bool
	// impersonates is set if the configuration impersonates a user.
	impersonates bool
	// largeBodies and smallBodies have an item for each request for resource.k8s.io with a body that is being processed.
	largeBodies, smallBodies chan struct{}
	// streamHandler and defaultHandler differ only in the size of their copy buffer.
	streamHandler, defaultHandler http.Handler
}

func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The credentials are checked before any of the body is read.
	if rejection := p.check(r); rejection != nil {
		reject(w, *rejection)
		return
	}
	if _, isInGroup := transcode.ParseTarget(r.URL); isInGroup && r.ContentLength != 0 {
		defer limitBodyTime(w, r)()
		bodies := p.smallBodies
		if isLarge(r) {
			bodies = p.largeBodies
		}
		if !acquire(r.Context(), bodies) {
			w.Header().Set("Retry-After", "1")
			reject(w, transcode.NewStatus(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests,
				"the proxy processes too many requests with a body: repeat the request"))
			return
		}
		release := sync.OnceFunc(func() { <-bodies })
		defer release()
		w = releasingWriter{w, release}
	}
	if transcode.IsTrue(r.URL, "watch") || transcode.IsTrue(r.URL, "follow") {
		p.streamHandler.ServeHTTP(w, r)
	} else {
		p.defaultHandler.ServeHTTP(w, r)
	}
}

// check returns the error for a request that the proxy rejects because of its path or its headers, or nil.
func (p proxy) check(r *http.Request) *metav1.Status {
	rejection := func(code int32, reason metav1.StatusReason, message string) *metav1.Status {
		status := transcode.NewStatus(code, reason, message)
		return &status
	}
	hasOwnCredentials := hasCredentials(r.Header)
	if err := checkIdentity(r.Header); err != nil {
		return rejection(http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
	}
	switch {
	case r.URL.Opaque != "": // a target such as http:path, which would be sent unchecked
		return rejection(http.StatusBadRequest, metav1.StatusReasonBadRequest, "the request target must be a path or a URL")
	case hasDotSegment(r.URL.Path):
		return rejection(http.StatusBadRequest, metav1.StatusReasonBadRequest,
			"the path must not have the segments . and ..")
	case p.requireCredentials && !hasOwnCredentials:
		return rejection(http.StatusUnauthorized, metav1.StatusReasonUnauthorized,
			"missing credentials: send the token of the pod's service account (mount the sidecar's client directory at "+
				"/var/run/secrets/kubernetes.io/serviceaccount)")
	case p.impersonates && !hasOwnCredentials && hasImpersonation(r.Header):
		return rejection(http.StatusForbidden, metav1.StatusReasonForbidden,
			"the proxy impersonates a user: requests must not impersonate another one")
	}
	return nil
}

// isLarge reports whether the body of a request may be large, or is a patch, which is applied to an object of any size.
func isLarge(r *http.Request) bool {
	limit := int64(largeBodyBytes)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/vnd.kubernetes.protobuf") {
		limit = largeProtobufBytes
	}
	return r.Method == http.MethodPatch || r.ContentLength < 0 || r.ContentLength > limit
}

// acquire waits until another body may be read. It returns false if that takes too long.
func acquire(ctx context.Context, bodies chan<- struct{}) bool {
	ctx, cancel := context.WithTimeout(ctx, bodyWait)
	defer cancel()
	select {
	case bodies <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// releasingWriter calls a function before it writes the header of a response. At that time, the body of the request is
// processed, and the client may be slow to read the response.
type releasingWriter struct {
	http.ResponseWriter
	release func()
}

func (w releasingWriter) WriteHeader(code int) {
	w.release()
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap is for [http.ResponseController].
func (w releasingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// limitBodyTime limits the time to read the body of a request. Call the returned function at the end of the request.
func limitBodyTime(w http.ResponseWriter, r *http.Request) (end func()) {
	controller := http.NewResponseController(w)
	if controller.SetReadDeadline(time.Now().Add(bodyTimeout)) != nil {
		return func() {} // a ResponseWriter of a test
	}
	body := &deadlineBody{ReadCloser: r.Body, controller: controller}
	r.Body = body
	return body.end
}

// deadlineBody removes the read deadline of a connection at the end of the body. Otherwise, the deadline would end the
// request while the cluster processes it. A transport may read the body after the request, when the controller must not
// be used any more.
type deadlineBody struct {
	io.ReadCloser

	mutex      sync.Mutex
	controller *http.ResponseController // nil after the request
}

func (b *deadlineBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		if b.controller != nil {
			_ = b.controller.SetReadDeadline(time.Time{})
		}
	}
	return n, err
}

func (b *deadlineBody) end() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.controller = nil
}

// hasDotSegment reports whether a decoded path has the segment . or .., which no path of an API server has. A gateway
// in front of an API server may resolve such a segment, and send the request with the configuration's credentials to
// another cluster.
func hasDotSegment(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(segment string) bool {
		return segment == "." || segment == ".."
	})
}

// rewriteTo returns a function that sets the URL and host of the API server, and restores the client's credentials.
// ReverseProxy removes headers that the Connection header names, so "Connection: Authorization" would send the request
// with the credentials of the configuration.
func rewriteTo(server *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		r.Out.Host = server.Host
		for name, value := range r.In.Header {
			if name == authorization || name == webSocketProtocol || strings.HasPrefix(name, impersonatePrefix) {
				r.Out.Header[name] = value
			}
		}
	}
}

type bufferPool struct{ *sync.Pool }

func (p bufferPool) Get() []byte  { return p.Pool.Get().([]byte) }
func (p bufferPool) Put(b []byte) { p.Pool.Put(b) } //nolint:staticcheck // allocating a slice header is cheap

// handleError responds to a request for which there is no response of the API server, or none that can be translated.
func handleError(w http.ResponseWriter, r *http.Request, err error) {
	var connErr *connectionError
	switch {
	case r.Context().Err() != nil: // the client closed the connection
		panic(http.ErrAbortHandler)
	case errors.As(err, &connErr):
		// The response is plain text, as from kubectl proxy. kubectl prints plain text for any path, but a Status only
		// for paths where it expects one.
		klog.ErrorS(err, "Cannot reach the API server", "method", r.Method, "path", r.URL.Path)
		http.Error(w, err.Error(), http.StatusBadGateway)
	case errors.Is(err, transcode.ErrRequestBody):
		reject(w, transcode.NewStatus(http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error()))
	default:
		klog.ErrorS(err, "Cannot translate the response of the API server", "method", r.Method, "path", r.URL.Path)
		reject(w, transcode.NewStatus(http.StatusInternalServerError, metav1.StatusReasonInternalError, err.Error()))
	}
}

func reject(w http.ResponseWriter, status metav1.Status) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

// clusterTransport sends a request with the client's credentials if it has any, and otherwise with those of the
// configuration. It sends upgrades with HTTP/1.1. Its errors are of type *connectionError.
type clusterTransport struct {
	configTransport, clientTransport               http.RoundTripper // by the credentials that they send
	upgradeConfigTransport, upgradeClientTransport http.RoundTripper // the same for upgrades
}

// connectionError is the error for a request to which the API server did not respond.
type connectionError struct{ err error }

func (e *connectionError) Error() string { return e.err.Error() }
func (e *connectionError) Unwrap() error { return e.err }

func newClusterTransport(config *rest.Config) (*clusterTransport, error) {
	base := rest.CopyConfig(config)
	base.DisableCompression = true // the client and the API server negotiate it
	base.NextProtos = nil
	upgrade := rest.CopyConfig(base)
	upgrade.NextProtos = []string{"http/1.1"}
	var t clusterTransport
	for _, c := range []struct {
		transport *http.RoundTripper
		config    *rest.Config
	}{
		{&t.configTransport, base},
		{&t.clientTransport, rest.AnonymousClientConfig(base)},
		{&t.upgradeConfigTransport, upgrade},
		{&t.upgradeClientTransport, rest.AnonymousClientConfig(upgrade)},
	} {
		var err error
		if *c.transport, err = rest.TransportFor(c.config); err != nil {
			return nil, err
		}
	}
	return &t, nil
}

func (t *clusterTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.forRequest(r).RoundTrip(r)
	if err != nil {
		return nil, &connectionError{err}
	}
	return resp, nil
}

// forRequest returns the transport for the credentials and the protocol of a request.
func (t *clusterTransport) forRequest(r *http.Request) http.RoundTripper {
	isUpgrade := r.Header.Get("Upgrade") != ""
	hasClientCredentials := hasCredentials(r.Header)
	switch {
	case hasClientCredentials && isUpgrade:
		return t.upgradeClientTransport
	case hasClientCredentials:
		return t.clientTransport
	case isUpgrade:
		return t.upgradeConfigTransport
	}
	return t.configTransport
}
