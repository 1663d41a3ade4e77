// Package loopback serves a cluster's API to the programs of this machine, or of this pod.
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

// Serve the API of the cluster of a configuration on a port, 0 for any, of the loopback address
// alone, until the context is over: by TLS if there is an identity. Where that is, is printed.
func Serve(ctx context.Context, printed io.Writer, port uint16, config *rest.Config, o bridge.ProxyOptions,
	identity *tls.Config,
) error {
	// Most of what is there are watches, some 30 KiB each that stay. Twice that, as by default, is
	// much in every pod; garbage there is little.
	debug.SetGCPercent(25)
	// a watch lasts as long as its client wants, which has a name
	config.QPS, config.Timeout, config.UserAgent = -1, 0, ""
	handler, err := bridge.Proxy(config, o)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return fmt.Errorf("%w; --port names another", err)
	}
	// Go's clients close what is idle after 90 s.
	server := &http.Server{
		Handler: local(handler), ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		TLSConfig: identity,
	}
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	fmt.Fprintf(printed, "Starting to serve on %s\n", listener.Addr())
	defer context.AfterFunc(ctx, func() { _ = server.Close() })() // requests have ended with it
	if identity != nil {
		err = server.ServeTLS(listener, "", "")
	} else {
		err = server.Serve(listener)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// local serves what comes to this machine from its own programs. A browser that was sent here by a
// page of another origin, by a name that means this machine for the moment, is refused, since
// requests may be sent with credentials that are not its own.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if host != "localhost" && host != "127.0.0.1" && host != "::1" {
			http.Error(w, "this proxy is for localhost", http.StatusForbidden)
			return
		}
		// Browsers say so of what has no Origin, as pictures and frames.
		if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
			http.Error(w, "this proxy is not for pages of other origins", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
				http.Error(w, "this proxy is not for pages of other origins", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
