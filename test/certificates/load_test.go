//go:build e2e

package certificates

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// load is a load on a webhook: clients call it without a pause, until a call fails.
type load struct {
	installation *installation
	sent         atomic.Int64
	stop         func() error
}

// startLoad starts the load: three clients of the API server, each of whose reads is a conversion, and one client that
// calls the webhook directly with a new connection for each call.
func (i *installation) startLoad(t *testing.T) *load {
	t.Helper()
	i.createClaim(t, "under-load")
	versions := []string{"v1alpha1", "v1alpha2", "v1alpha1"}
	read := func(ctx context.Context, version string) error {
		_, err := cluster.dynamic.Resource(i.claims(version)).Namespace(i.name).Get(ctx, "under-load",
			metav1.GetOptions{})
		return err
	}
	for _, version := range versions {
		await.NoError(t, "the API server sees the caBundle of the CRD", func() error {
			return read(t.Context(), version)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{installation: i}
	var callers errgroup.Group
	started := time.Now()
	start := func(name string, call func() error) {
		callers.Go(func() error {
			for ctx.Err() == nil {
				l.sent.Add(1)
				if err := call(); err != nil {
					return fmt.Errorf("%s after %s: %w", name, time.Since(started).Round(time.Millisecond), err)
				}
			}
			return nil
		})
	}
	for n, version := range versions {
		start(fmt.Sprintf("reader %d of %s", n, version), func() error { return read(context.Background(), version) })
	}
	start("client with a new connection for each call", func() error { return i.convertOnce(t) })
	l.stop = sync.OnceValue(func() error {
		cancel()
		return callers.Wait()
	})
	t.Cleanup(func() { _ = l.stop() })
	return l
}

// end stops the load and checks that no call failed.
func (l *load) end(t *testing.T) {
	t.Helper()
	err := l.stop()
	converted := 0.0
	for _, r := range l.installation.replicas {
		converted += r.metric(t, "claimbridge_conversions_total")
	}
	t.Logf("%d calls sent; the replicas converted %v claims", l.sent.Load(), converted)
	if err != nil || converted < float64(l.sent.Load()) || l.sent.Load() < 20 {
		t.Errorf("got %v conversions of %d calls, and error %v; want a conversion for each call, and at least 20 calls",
			converted, l.sent.Load(), err)
	}
}

// convertOnce calls the webhook on a new connection. It trusts the current caBundle of the CRD.
func (i *installation) convertOnce(t *testing.T) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	transport := &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: i.dnsName(), MinVersion: tls.VersionTLS12},
	}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	url := "https://" + net.JoinHostPort("localhost", fmt.Sprint(i.service.port)) + "/convert"
	response, err := client.Post(url, "application/json", strings.NewReader(i.conversionReview()))
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"Success"`)) {
		return fmt.Errorf("%d %s", response.StatusCode, body)
	}
	return nil
}
