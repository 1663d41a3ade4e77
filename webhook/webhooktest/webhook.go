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

// Webhook is a webhook for an API server on this machine. [Start] and [Run] return one.
type Webhook struct {
	// Group is the group of the claims that it serves.
	Group string
	// Server is the server of the webhook, for example for its metrics: [webhook.Server.Collector].
	Server *webhook.Server
	// CABundle is the CA (PEM) of its certificate.
	CABundle []byte
	// Config is a configuration for clients of the API server that uses only JSON. Create typed clients of claims from
	// it. By default, typed clients of client-go 0.32 and later, including those of controller-runtime, use protobuf,
	// which API servers don't support for custom resources: a read returns 406, and the API server of 1.36 closes the
	// connection of a write.
	Config *rest.Config

	serving *tls.Config
	address string
	server  *http.Server
}

// Run is [Start] for a test. It fails the test if Start returns an error, and stops the webhook when the test ends.
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
	probeConfig := rest.CopyConfig(cluster)
	probeConfig.WarningHandler = rest.NoWarnings{} // the probes use deprecated versions on purpose
	jsonConfig := rest.CopyConfig(cluster)
	jsonConfig.ContentType = runtime.ContentTypeJSON
	jsonConfig.AcceptContentTypes = runtime.ContentTypeJSON
	client, err := dynamic.NewForConfig(probeConfig)
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
	w := &Webhook{Group: o.Group, Server: server, CABundle: ca, Config: jsonConfig, serving: serving, address: anyPort}
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

// URL returns the URL of a path of the webhook, such as /convert.
func (w *Webhook) URL(path string) string { return "https://" + w.address + path }

// Stop stops the webhook after the requests in flight. The installed objects remain, so clients get the same errors as
// in a cluster whose webhook is down. A second Stop does nothing.
func (w *Webhook) Stop() error {
	if w.server == nil {
		return nil
	}
	defer func() { w.server = nil }()
	if err := w.server.Shutdown(context.Background()); err != nil {
		return fmt.Errorf("webhooktest: stop: %w", err)
	}
	return nil
}

// Resume starts the webhook again after Stop, at the same address with the same certificate.
func (w *Webhook) Resume() error {
	if w.server != nil {
		return nil
	}
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		return fmt.Errorf("webhooktest: listen: %w", err)
	}
	w.address = listener.Addr().String()
	w.server = &http.Server{
		Handler: w.Server.Handler(), TLSConfig: w.serving.Clone(), ReadHeaderTimeout: headerTimeout,
		ErrorLog: discardLog,
	}
	go func(server *http.Server) { _ = server.ServeTLS(listener, "", "") }(w.server)
	return nil
}
