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
	// leafLife makes an authority look every second; its CA lives for three months all the same.
	leafLife = 10 * time.Second
	caLife   = 90 * day
)

// looks at the Secret by an account, so far: each is the begin of a round of an authority.
type looks struct{ atomic.Int64 }

// count those of an account.
func (l *looks) count(account *rest.Config) {
	account.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/secrets/") {
				l.Add(1)
			}
			return next.RoundTrip(r)
		})
	})
}

// await waits for more lookups while a condition does not change. A lookup begins after the one before has ended.
func (l *looks) await(t *testing.T, what string, more int64, meanwhile func()) {
	t.Helper()
	before := l.Load()
	await.True(t, what, func() bool {
		meanwhile()
		return l.Load() >= before+more
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// account that the manifests give the server: it may do what they allow, and nothing else.
func (i *installation) account() *rest.Config {
	account := rest.CopyConfig(cluster.Config)
	account.Impersonate.UserName = "system:serviceaccount:" + i.name + ":claimbridge"
	return account
}

// shared authority of this test, run until the end of the test or until it is stopped.
type shared struct {
	*certs.Shared
	stop func()
}

func (i *installation) share(t *testing.T, account *rest.Config, clock *testclock.FakePassiveClock) shared {
	t.Helper()
	c := certs.Config{
		Cluster: account, Namespace: i.name, Name: "claimbridge-ca", WebhookConfiguration: i.name,
		CRDs:       []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group},
		CAValidity: caLife, LeafValidity: leafLife, Logger: reviews.LogTo(logs.New(t, "authority")),
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
	return shared{a, stop}
}

// sign a leaf for the name of the service.
func (i *installation) sign(a shared) (*x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return a.Sign(&x509.Certificate{PublicKey: key.Public(), DNSNames: []string{i.dnsName()}})
}

// trusts is no error when callers of the CRD accept a leaf that the authority signs, at a moment.
func (i *installation) trusts(t *testing.T, a shared, now time.Time) error {
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
