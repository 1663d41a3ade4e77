//go:build e2e

package certificates

import (
	"crypto/x509"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

// TestClockSteps moves the clock of a replica. By default certificates go by the time of the API server, so this one is
// told to believe its own clock.
func TestClockSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a clock steps six times, and certificates follow")
	}
	t.Parallel()
	i := install(t, "clock", config.Self)
	clock := testclock.NewFakePassiveClock(time.Now())
	a := i.share(t, i.account(), clock)
	notified := make(chan struct{}, 1)
	a.WatchRotation(notified)
	await.NoError(t, "it is trusted", func() error { return i.trusts(t, a, clock.Now()) })
	first := i.ca(t)
	for _, step := range []time.Duration{30 * day, -15 * day, -20 * day, 35 * day, 90 * day, -90 * day} {
		for len(notified) > 0 {
			<-notified
		}
		clock.SetTime(clock.Now().Add(step))
		<-notified // a leaf of another time is replaced, not waited for
		await.NoError(t, step.String()+": it is trusted", func() error { return i.trusts(t, a, clock.Now()) })
		if step == 30*day && i.ca(t) != first {
			t.Error("a CA that is good was replaced")
		}
	}
}

// TestWithoutAnAPIServer cuts a replica off.
func TestWithoutAnAPIServer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it waits for certificates to grow old")
	}
	t.Parallel()
	i := install(t, "alone", config.Self)
	var away atomic.Bool
	away.Store(true)
	account := i.account()
	var asked looks
	asked.count(account, &away)
	a := i.share(t, account, nil)
	asked.await(t, "it asks in vain", 3, func() {
		if _, err := i.sign(a); err == nil {
			t.Fatal("it signs without a CA")
		}
	})
	away.Store(false)
	await.NoError(t, "it is trusted", func() error { return i.trusts(t, a, time.Now()) })
	away.Store(true)
	asked.await(t, "it asks in vain again", 1, func() {})
	var last *x509.Certificate // that it signs with what it holds
	await.NoError(t, "it signs nothing that outlives what it knows", func() error {
		leaf, err := i.sign(a)
		if err != nil && strings.Contains(err.Error(), "was not seen for too long") {
			return nil
		}
		if err != nil {
			return err
		}
		if last == nil {
			last = leaf
		}
		if leaf.NotAfter.After(last.NotAfter) {
			t.Fatal("without an API server it signs for longer and longer")
		}
		return errors.New("it still signs")
	})
	away.Store(false)
	await.NoError(t, "it signs again", func() error { return i.trusts(t, a, time.Now()) })
}
