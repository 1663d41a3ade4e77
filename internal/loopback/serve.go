// Package loopback serves the API of a cluster on the loopback interface of a machine or a pod.
package loopback

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"time"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
)

const (
	// maxHeaderBytes is the limit for the headers of a request, with its path and query.
	maxHeaderBytes = 64 << 10
	// receiveBufferBytes is the size of the part of a body over HTTP/2 that is received before the proxy reads it.
	receiveBufferBytes = 64 << 10
)

// Serve serves the API of the cluster in config on 127.0.0.1 until ctx is done. A port of 0 selects a free port. It
// serves HTTPS if tlsConfig is not nil, and HTTP otherwise. It prints its address to out.
func Serve(ctx context.Context, out io.Writer, port uint16, config *rest.Config, o bridge.ProxyOptions,
	tlsConfig *tls.Config,
) error {
	// The heap consists mostly of watches, about 30 KiB each, and there is little garbage. By default, the heap would
	// grow to twice its live size, in every pod that runs the proxy.
	debug.SetGCPercent(25)
	// Clients limit their own requests, decide how long a watch lasts, and send their own User-Agent.
	config.QPS = -1
	config.Timeout = 0
	config.UserAgent = ""
	handler, err := bridge.Proxy(config, o)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return fmt.Errorf("%w: choose a free port with --port", err)
	}
	// Clients in Go close idle connections after 90 s. A longer timeout avoids a race with them.
	server := &http.Server{
		Handler: localOnly(handler), ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		TLSConfig: tlsConfig,
		// The memory of all connections is limited by these sizes. A list request with a long selector has some KiB.
		MaxHeaderBytes: maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerConnection: receiveBufferBytes, MaxReceiveBufferPerStream: receiveBufferBytes,
		},
	}
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	fmt.Fprintf(out, "Starting to serve on %s\n", listener.Addr())
	// Requests end with ctx, so there is nothing to shut down gracefully.
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if tlsConfig != nil {
		err = server.ServeTLS(listener, "", "")
	} else {
		err = server.Serve(listener)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// otherOrigin is the error for a request of a web page.
const otherOrigin = "requests of web pages of other origins are rejected: use a program of this machine, such as " +
	"kubectl or curl"

// localOnly rejects requests that a page of another origin may have sent through a browser, including by DNS rebinding.
// The proxy may add the credentials of the kubeconfig to a request, so only programs of this machine may send one.
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if host != "localhost" && host != "127.0.0.1" && host != "::1" {
			http.Error(w, fmt.Sprintf("host %.100q is not allowed: send requests to localhost or 127.0.0.1", host),
				http.StatusForbidden)
			return
		}
		// Browsers send this header also with requests that have no Origin header, such as those for images and frames.
		if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
			http.Error(w, otherOrigin, http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
				http.Error(w, otherOrigin, http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
