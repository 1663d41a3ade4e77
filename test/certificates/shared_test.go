//go:build e2e

package certificates

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/logs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const (
	day = 24 * time.Hour
	// leafValidity lets an authority check the Secret every second. The validity of its CA is independent of it.
	leafValidity = 10 * time.Second
	caValidity   = 90 * day
)

// requestCounter counts the requests of an account for the Secret. An authority starts each check with one.
type requestCounter struct{ atomic.Int64 }

// count counts the requests of an account.
func (l *requestCounter) count(account *rest.Config) {
	account.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/secrets/") {
				l.Add(1)
			}
			return next.RoundTrip(r)
		})
	})
}

// await waits for further requests, and calls meanwhile before each check. A request starts after the previous check
// has ended.
func (l *requestCounter) await(t *testing.T, what string, count int64, meanwhile func()) {
	t.Helper()
	before := l.Load()
	await.True(t, what, func() bool {
		meanwhile()
		return l.Load() >= before+count
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// serviceAccount returns the configuration of the server's service account, with the permissions of the manifests.
func (i *installation) serviceAccount() *rest.Config {
	account := rest.CopyConfig(cluster.Config)
	account.Impersonate.UserName = "system:serviceaccount:" + i.name + ":claimbridge"
	return account
}

// sharedCA is a running shared CA. It runs until the end of the test, or until it is stopped.
type sharedCA struct {
	*certs.Shared
	stop func()
}

func (i *installation) startSharedCA(t *testing.T, account *rest.Config, clock *testclock.FakePassiveClock) sharedCA {
	t.Helper()
	c := certs.Config{
		Cluster: account, Namespace: i.name, Name: "claimbridge-ca", WebhookConfiguration: i.name,
		CRDs:       []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group},
		CAValidity: caValidity, LeafValidity: leafValidity, Logger: reviews.NewLogger(logs.New(t, "authority")),
	}
	if clock != nil {
		c.Clock = clock
	}
	a := must.Get(certs.NewShared(c))(t)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = a.Run(ctx) })
	stop := sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	t.Cleanup(stop)
	return sharedCA{a, stop}
}

// sign signs a certificate for the DNS name of the Service.
func (i *installation) sign(a sharedCA) (*x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return a.Sign(&x509.Certificate{PublicKey: key.Public(), DNSNames: []string{i.dnsName()}})
}

// checkTrust returns an error unless clients with the caBundle of the CRD trust a certificate of the CA at a time.
func (i *installation) checkTrust(t *testing.T, a sharedCA, now time.Time) error {
	t.Helper()
	leaf, err := i.sign(a)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	_, err = leaf.Verify(x509.VerifyOptions{
		DNSName:     i.dnsName(),
		Roots:       roots,
		CurrentTime: now,
		KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	return err
}
