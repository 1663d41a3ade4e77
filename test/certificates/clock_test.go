//go:build e2e

package certificates

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/config"
)

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
