//go:build e2e

package certificates

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

const (
	day = 24 * time.Hour
	// leafLife makes an authority look every second; its CA lives for three months all the same.
	leafLife = 10 * time.Second
	caLife   = 90 * day
)

// account that the manifests give the server: it may do what they allow, and nothing else.
func (i *installation) account() *rest.Config {
	account := rest.CopyConfig(cluster.config)
	account.Impersonate.UserName = "system:serviceaccount:" + i.name + ":claimbridge"
	return account
}

// shared authority of this test, run until the end of the test or until it is stopped.
type shared struct {
	*authority.Shared
	stop func()
}

func (i *installation) share(t *testing.T, account *rest.Config, clock *testclock.FakePassiveClock) shared {
	t.Helper()
	c := authority.Config{
		Cluster: account, Namespace: i.name, Name: "claimbridge-ca", WebhookConfiguration: i.name,
		CRDs:       []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group},
		CAValidity: caLife, LeafValidity: leafLife, Logger: logger(t),
	}
	if clock != nil {
		c.Clock = clock
	}
	a, err := authority.NewShared(c)
	if err != nil {
		t.Fatal(err)
	}
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

// mustSign waits until the authority is willing.
func (i *installation) mustSign(t *testing.T, a shared) (leaf *x509.Certificate) {
	t.Helper()
	await(t, "it signs", func() (ok bool) {
		var err error
		leaf, err = i.sign(a)
		return err == nil
	})
	return leaf
}

// trusts tells whether callers of the CRD accept a leaf that the authority signs, at a moment.
func (i *installation) trusts(t *testing.T, a shared, now time.Time) bool {
	t.Helper()
	leaf, err := i.sign(a)
	if err != nil {
		return false
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	_, err = leaf.Verify(x509.VerifyOptions{DNSName: i.dnsName(), Roots: roots, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	return err == nil
}
