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

// load on a webhook: callers that go on without a pause until one of them loses a call.
type load struct {
	installation *installation
	sent         atomic.Int64
	stop         func() error
}

// begin starts the load: three clients of the API server, each of whose reads is a conversion, and one client that
// calls the webhook directly with a new connection for each call.
func (i *installation) begin(t *testing.T) *load {
	t.Helper()
	i.createClaim(t, "under-load")
	readers := []string{"v1alpha1", "v1alpha2", "v1alpha1"}
	read := func(ctx context.Context, version string) error {
		_, err := cluster.dynamic.Resource(i.claims(version)).Namespace(i.name).Get(ctx, "under-load",
			metav1.GetOptions{})
		return err
	}
	for _, version := range readers {
		await.NoError(t, "the API server has taken the bundle of the CRD", func() error {
			return read(t.Context(), version)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{installation: i}
	var callers errgroup.Group
	begun := time.Now()
	call := func(who string, once func() error) {
		callers.Go(func() error {
			for ctx.Err() == nil {
				l.sent.Add(1)
				if err := once(); err != nil {
					return fmt.Errorf("%s after %s: %w", who, time.Since(begun).Round(time.Millisecond), err)
				}
			}
			return nil
		})
	}
	for n, version := range readers {
		call(fmt.Sprintf("reader %d of %s", n, version), func() error { return read(context.Background(), version) })
	}
	call("caller that connects anew", func() error { return i.convertOnce(t) })
	l.stop = sync.OnceValue(func() error {
		cancel()
		return callers.Wait()
	})
	t.Cleanup(func() { _ = l.stop() })
	return l
}

// end the load: none of its calls may be lost, and there were many.
func (l *load) end(t *testing.T) {
	t.Helper()
	err := l.stop()
	converted := 0.0
	for _, r := range l.installation.replicas {
		converted += r.metric(t, "claimbridge_conversions_total")
	}
	t.Logf("%d calls sent; the replicas converted %v claims", l.sent.Load(), converted)
	if err != nil || converted < float64(l.sent.Load()) || l.sent.Load() < 20 {
		t.Errorf("a call is lost, or was no conversion, or there were too few: %v", err)
	}
}

// convertOnce on a new connection, trusting what the CRD says at this moment.
func (i *installation) convertOnce(t *testing.T) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	transport := &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: i.dnsName(), MinVersion: tls.VersionTLS12},
	}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	url := "https://" + net.JoinHostPort("localhost", fmt.Sprint(i.service.port)) + "/convert"
	response, err := client.Post(url, "application/json", strings.NewReader(i.review()))
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
