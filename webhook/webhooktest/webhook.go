package webhooktest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/webhook"
)

// Webhook that serves an API server on this machine. Make one with [Start] or [Run].
type Webhook struct {
	// Group of the claims that it serves.
	Group string
	// Server behind it, for its metrics: [webhook.Server.Collector].
	Server *webhook.Server
	// CABundle (PEM) to trust it with.
	CABundle []byte
	// Config reaches the API server that it was started with, in JSON alone: make typed clients of
	// claims from it. Those of client-go 0.32 and later, and controller-runtime with types that its
	// client-go knows, write protobuf unless their config says otherwise. An API server has no
	// protobuf of custom resources: it answers 406 to who reads nothing else, and to a write that
	// of 1.36 panics, which its client sees as a connection that breaks off.
	Config *rest.Config

	serving   *tls.Config
	address   string
	listening *http.Server
}

// Run is [Start] for a test: it ends the test when that fails, and stops the webhook when the test ends.
func Run(t testing.TB, cluster *rest.Config, o Options) *Webhook {
	t.Helper()
	w, err := Start(t.Context(), cluster, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Start starts the webhook and installs it in the API server. Use it in TestMain, in a BeforeSuite, or without a test.
// The installed objects remain when the webhook stops, and another Start replaces them. Errors contain a remedy.
func Start(ctx context.Context, cluster *rest.Config, o Options) (_ *Webhook, err error) {
	o = o.complete()
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	probing, inJSON := rest.CopyConfig(cluster), rest.CopyConfig(cluster)
	probing.WarningHandler = rest.NoWarnings{} // of deprecated versions, which the probes use on purpose
	inJSON.ContentType, inJSON.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	client, err := dynamic.NewForConfig(probing)
	if err != nil {
		return nil, fmt.Errorf("webhooktest: %w", err)
	}
	if err := checkGroupIsFree(ctx, client, o.Group); err != nil {
		return nil, fmt.Errorf("webhooktest: %w", err)
	}
	server, err := webhook.New(webhook.Options{Groups: []string{o.Group}, Logger: o.Logger})
	if err != nil {
		return nil, fmt.Errorf("webhooktest: %w", err)
	}
	serving, ca, err := newCertificate()
	if err != nil {
		return nil, fmt.Errorf("webhooktest: %w", err)
	}
	w := &Webhook{Group: o.Group, Server: server, CABundle: ca, Config: inJSON, serving: serving, address: anyPort}
	if err := w.Resume(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Stop())
		}
	}()
	installation := installation{client: client, webhook: w, admission: !o.ConversionOnly}
	if err := installation.run(ctx); err != nil {
		return nil, fmt.Errorf("webhooktest: %w", err)
	}
	return w, nil
}

// anyPort is any port of the loopback address, which other machines can't reach.
const anyPort = "127.0.0.1:0"

// URL of a path of the webhook, such as /convert.
func (w *Webhook) URL(path string) string { return "https://" + w.address + path }

// Stop serving, after the requests in flight. What was installed stays, so that clients see what they would see while
// the webhook of a cluster is away. Stopping twice does nothing.
func (w *Webhook) Stop() error {
	if w.listening == nil {
		return nil
	}
	defer func() { w.listening = nil }()
	if err := w.listening.Shutdown(context.Background()); err != nil {
		return fmt.Errorf("webhooktest: stop: %w", err)
	}
	return nil
}

// Resume serving after Stop, at the same address with the same certificate.
func (w *Webhook) Resume() error {
	if w.listening != nil {
		return nil
	}
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		return fmt.Errorf("webhooktest: listen: %w", err)
	}
	w.address = listener.Addr().String()
	w.listening = &http.Server{
		Handler: w.Server.Handler(), TLSConfig: w.serving.Clone(), ReadHeaderTimeout: headerTimeout,
		ErrorLog: quiet,
	}
	go func(server *http.Server) { _ = server.ServeTLS(listener, "", "") }(w.listening)
	return nil
}
