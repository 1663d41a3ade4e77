package certificates

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/config"
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

func (i *installation) secret(t *testing.T) *corev1.Secret {
	t.Helper()
	secret, err := cluster.core.CoreV1().Secrets(i.name).Get(t.Context(), "claimbridge-ca", metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	return secret
}

func (i *installation) updateSecret(t *testing.T, data map[string][]byte) {
	t.Helper()
	secret := i.secret(t)
	secret.Data = data
	if _, err := cluster.core.CoreV1().Secrets(i.name).Update(t.Context(), secret, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (i *installation) ca(t *testing.T) string { return string(i.secret(t).Data["tls.crt"]) }

// TestReplicasThatRotateAtOnce lets three replicas see at the same moment that the CA is due.
func TestReplicasThatRotateAtOnce(t *testing.T) {
	t.Parallel()
	i := install(t, "race", config.Self)
	account := i.account()
	clock := testclock.NewFakePassiveClock(time.Now())
	replicas := []shared{i.share(t, account, clock), i.share(t, account, clock), i.share(t, account, clock)}
	trusted := func() bool {
		for _, r := range replicas {
			if !i.trusts(t, r, clock.Now()) || !r.CA()[0].Equal(replicas[0].CA()[0]) {
				return false
			}
		}
		return true
	}
	await(t, "all sign with one CA that is trusted", trusted)
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
	first := i.ca(t)

	clock.SetTime(clock.Now().Add(61 * day))
	await(t, "one of them makes the next", func() bool { return len(i.secret(t).Data["next.crt"]) > 0 })
	next := string(i.secret(t).Data["next.crt"])
	await(t, "it is trusted", func() bool { return string(i.bundle(t)) == first+next })
	late := i.share(t, account, clock) // a replica that starts in the middle
	await(t, "it signs", func() bool { return i.trusts(t, late, clock.Now()) })
	if string(i.secret(t).Data["tls.crt"]) != first {
		t.Error("the next CA signs before its time")
	}
	await(t, "every bundle was seen", func() bool { return len(i.secret(t).Data["published"]) > 0 })
	replicas = append(replicas, late)
	clock.SetTime(clock.Now().Add(leafLife / 4)) // the grace
	await(t, "it is promoted", func() bool { return i.ca(t) == next })
	await(t, "all sign with it", func() bool { return string(encodeCA(late)) == next && trusted() })
	if got := string(i.bundle(t)); got != first+next {
		t.Errorf("callers do not trust both any more")
	}
	clock.SetTime(clock.Now().Add(2 * leafLife))
	await(t, "the first has gone", func() bool { return string(i.bundle(t)) == next && string(i.secret(t).Data["ca.crt"]) == next })
	if got := i.generation(t); got != 4 {
		t.Errorf("the CRD was written %d times, want three: first CA, both, second CA", got-1)
	}
}

func encodeCA(a shared) []byte { return encode(a.CA()[0]) }

// TestTheSecretOfTheCAIsLost has it deleted, emptied and spoilt under a replica that may not create it.
func TestTheSecretOfTheCAIsLost(t *testing.T) {
	t.Parallel()
	i := install(t, "lost", config.Self)
	account := i.account()
	a := i.share(t, account, nil)
	await(t, "it is trusted", func() bool { return i.trusts(t, a, time.Now()) })
	good := i.secret(t).Data

	for name, data := range map[string]map[string][]byte{
		"emptied":             nil,
		"half written":        {"tls.crt": good["tls.crt"][:100], "tls.key": good["tls.key"]},
		"without the key":     {"tls.crt": good["tls.crt"], "tls.key": {}},
		"with words for a CA": {"tls.crt": []byte("none"), "tls.key": []byte("none")},
	} {
		i.updateSecret(t, data)
		await(t, name+": it is put back", func() bool {
			return maps.EqualFunc(i.secret(t).Data, good, func(a, b []byte) bool { return string(a) == string(b) })
		})
	}

	if err := cluster.core.CoreV1().Secrets(i.name).Delete(t.Context(), "claimbridge-ca", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	fresh := i.share(t, account, nil) // it has nothing to put back, and may not create anything
	for range 15 {
		time.Sleep(100 * time.Millisecond)
		if _, err := i.sign(fresh); err == nil {
			t.Fatal("a replica signs with a CA that is nowhere")
		}
	}
	if !i.trusts(t, a, time.Now()) {
		t.Error("without the Secret a replica does not go on with what it holds")
	}
	fresh.stop()
	i.shipSecret(t) // the manifests are applied again
	await(t, "it is put back", func() bool { return i.ca(t) == string(good["tls.crt"]) })
	if got := i.generation(t); got != 2 {
		t.Errorf("the CRD was written %d times, want once", got-1)
	}
}

// TestAFreshReplicaAndAnEmptySecret has callers that trust the CA of a Secret that is no more: what serves by it has to be
// trusted until the new CA is.
func TestAFreshReplicaAndAnEmptySecret(t *testing.T) {
	t.Parallel()
	i := install(t, "fresh", config.Self)
	account := i.account()
	old := i.share(t, account, nil)
	await(t, "it is trusted", func() bool { return i.trusts(t, old, time.Now()) })
	old.stop() // it serves what it has signed for as long as that is good
	leaf := i.mustSign(t, old)
	i.updateSecret(t, nil)
	fresh := i.share(t, account, nil)
	await(t, "the new one is trusted", func() bool { return i.trusts(t, fresh, time.Now()) })
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
		t.Errorf("what the old one signed: %v", err)
	}
}

// TestWhatOthersPutIntoABundleStays moves from another way of certificates: their CA is trusted until it expires.
func TestWhatOthersPutIntoABundleStays(t *testing.T) {
	t.Parallel()
	i := install(t, "others", config.Self)
	other := newTestCA(t, "of somebody else", time.Now(), caLife)
	i.setBundle(t, encode(other.certificate))
	a := i.share(t, i.account(), nil)
	await(t, "the next CA waits", func() bool { return len(i.secret(t).Data["next.crt"]) > 0 })
	if _, err := i.sign(a); err == nil {
		t.Error("it signs before it is trusted")
	}
	await(t, "it signs", func() bool { return i.trusts(t, a, time.Now()) })
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(i.bundle(t))
	if _, err := other.certificate.Verify(x509.VerifyOptions{Roots: roots}); err != nil {
		t.Errorf("the other CA: %v", err)
	}
}

// TestAnExpiredCA has a Secret that nobody looked at for too long.
func TestAnExpiredCA(t *testing.T) {
	t.Parallel()
	i := install(t, "expired", config.Self)
	old := newTestCA(t, "claimbridge shared CA", time.Now().Add(-100*day), caLife)
	i.updateSecret(t, map[string][]byte{"tls.crt": encode(old.certificate), "tls.key": old.keyPEM(t)})
	i.setBundle(t, encode(old.certificate))
	a := i.share(t, i.account(), nil)
	await(t, "a new one is trusted", func() bool { return i.trusts(t, a, time.Now()) })
}

// TestClockSteps moves the clock of a replica. By default certificates go by the time of the API server, so this one is
// told to believe its own clock.
func TestClockSteps(t *testing.T) {
	t.Parallel()
	i := install(t, "clock", config.Self)
	clock := testclock.NewFakePassiveClock(time.Now())
	a := i.share(t, i.account(), clock)
	notified := make(chan struct{}, 1)
	a.WatchRotation(notified)
	await(t, "it is trusted", func() bool { return i.trusts(t, a, clock.Now()) })
	first := i.ca(t)
	for _, step := range []time.Duration{30 * day, -15 * day, -20 * day, 35 * day, 90 * day, -90 * day} {
		for len(notified) > 0 {
			<-notified
		}
		clock.SetTime(clock.Now().Add(step))
		<-notified // a leaf of another time is replaced, not waited for
		await(t, step.String()+": it is trusted", func() bool { return i.trusts(t, a, clock.Now()) })
		if step == 30*day && i.ca(t) != first {
			t.Error("a CA that is good was replaced")
		}
	}
}

// TestWithoutAnAPIServer cuts a replica off.
func TestWithoutAnAPIServer(t *testing.T) {
	t.Parallel()
	i := install(t, "alone", config.Self)
	var away atomic.Bool
	away.Store(true)
	account := i.account()
	account.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if away.Load() {
				return nil, errors.New("no route to host")
			}
			return next.RoundTrip(r)
		})
	})
	a := i.share(t, account, nil)
	time.Sleep(time.Second)
	if _, err := i.sign(a); err == nil {
		t.Fatal("it signs without a CA")
	}
	away.Store(false)
	await(t, "it is trusted", func() bool { return i.trusts(t, a, time.Now()) })
	away.Store(true)
	time.Sleep(time.Second)
	last := i.mustSign(t, a) // with what it holds
	await(t, "it signs nothing that outlives what it knows", func() bool {
		leaf, err := i.sign(a)
		if err == nil && leaf.NotAfter.After(last.NotAfter) {
			t.Fatal("without an API server it signs for longer and longer")
		}
		return err != nil && strings.Contains(err.Error(), "was not seen for too long")
	})
	away.Store(false)
	await(t, "it signs again", func() bool { return i.trusts(t, a, time.Now()) })
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestABundleThatCannotBeWritten keeps the CA as it is, and heals when it can.
func TestABundleThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	i := install(t, "forbidden", config.Self)
	account := i.account()
	clock := testclock.NewFakePassiveClock(time.Now())
	a := i.share(t, account, clock)
	await(t, "it is trusted", func() bool { return i.trusts(t, a, clock.Now()) })
	first := i.ca(t)
	role, err := cluster.core.RbacV1().ClusterRoles().Get(t.Context(), i.name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rules := role.Rules
	role.Rules = rules[:1] // not the webhook configurations
	if role, err = cluster.core.RbacV1().ClusterRoles().Update(t.Context(), role, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	clock.SetTime(clock.Now().Add(61 * day))
	await(t, "the next is published where it can be", func() bool { return len(i.bundle(t)) > len(first) })
	for range 20 {
		clock.SetTime(clock.Now().Add(time.Hour))
		time.Sleep(100 * time.Millisecond)
	}
	if i.ca(t) != first {
		t.Fatal("a CA signs that not all callers trust")
	}
	role.Rules = rules
	if _, err = cluster.core.RbacV1().ClusterRoles().Update(t.Context(), role, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, "it is promoted", func() bool {
		clock.SetTime(clock.Now().Add(leafLife / 8))
		return i.ca(t) != first
	})
	for _, resource := range []string{"validating", "mutating"} {
		kind := validating
		if resource == "mutating" {
			kind = mutating
		}
		o, err := cluster.dynamic.Resource(kind).Get(t.Context(), i.name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		hooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
		encoded, _, _ := unstructured.NestedString(hooks[0].(map[string]any), "clientConfig", "caBundle")
		if pem, _ := base64.StdEncoding.DecodeString(encoded); string(pem) != string(i.bundle(t)) {
			t.Errorf("the %s configuration has another bundle than the CRD", resource)
		}
	}
}
