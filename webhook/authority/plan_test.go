package authority

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const day = 24 * time.Hour

var (
	start  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	yearly = newPolicy(365*day, 7*day)
)

func made(t testing.TB, name string, from time.Time, life time.Duration) *ca {
	t.Helper()
	return must.Get(newCA(name, from, from.Add(life)))(t)
}

// seen gives one object whose bundle holds certificates.
func seen(certificates ...*x509.Certificate) *object {
	return &object{resource: customResourceDefinitions, name: "x", bundles: []bundle{{has: certificates}}}
}

// publishAll puts what is to be published into every bundle, as the rounds do.
func publishAll(v view, s state, now time.Time) {
	trusted, gone := yearly.published(s, now)
	for _, o := range v {
		for i, b := range o.bundles {
			o.bundles[i].has, _ = merge(b.has, trusted, gone, now)
		}
	}
}

func TestPlan(t *testing.T) {
	a, b := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	stranger := made(t, "of somebody else", start, 365*day).certificate
	old := a.certificate
	late := start.Add(244 * day)
	young := made(t, commonName, start.Add(300*day), 365*day)
	tests := map[string]struct {
		state state
		view  view
		now   time.Time
		want  string
		check func(state) bool
	}{
		"the first CA signs at once when nobody trusts anything": {
			view: view{seen()}, now: start, want: "made the first CA",
			check: func(s state) bool { return s.current != nil && s.next == nil && s.promoted.Equal(start) },
		},
		"the first CA waits when others are trusted": {
			view: view{seen(), seen(stranger)}, now: start, want: "made a CA, to be trusted beside what is trusted now",
			check: func(s state) bool { return s.current == nil && s.next != nil && len(s.retiring) == 0 },
		},
		"an expired CA in a bundle trusts nobody": {
			view: view{seen(stranger)}, now: start.Add(400 * day), want: "made the first CA",
			check: func(s state) bool { return s.current != nil },
		},
		"a CA of ours in a bundle is kept when the Secret was emptied": {
			view: view{seen(old)}, now: start.Add(day), want: "made a CA, to be trusted beside what is trusted now",
			check: func(s state) bool { return s.current == nil && holds(s.retiring, old) },
		},
		"a CA of ours that the Secret does not know retires in peace": {
			state: state{current: b, promoted: start}, view: view{seen(b.certificate, old)}, now: start.Add(100 * day),
			want:  "found a CA of ours that the Secret does not know in a bundle",
			check: func(s state) bool { return holds(s.retiring, old) && s.promoted.Equal(start.Add(100*day)) },
		},
		"nothing happens in the first two thirds": {
			state: state{current: a, promoted: start}, view: view{seen(old)}, now: start.Add(243 * day),
			check: func(s state) bool { return s.next == nil },
		},
		"the next CA is made after two thirds": {
			state: state{current: a, promoted: start}, view: view{seen(old)}, now: late, want: "made the next CA",
			check: func(s state) bool { return s.current.same(a) && s.next != nil },
		},
		"a next CA that one bundle lacks does not sign": {
			state: state{current: a, next: b}, view: view{seen(old, b.certificate), seen(old)}, now: late,
			check: func(s state) bool { return s.current.same(a) && s.published.IsZero() },
		},
		"a next CA that one object might lack does not sign": {
			state: state{current: a, next: b, published: start}, view: view{seen(old, b.certificate), {err: errors.New("forbidden")}}, now: late,
			want:  "the next CA is missing in a bundle again",
			check: func(s state) bool { return s.published.IsZero() },
		},
		"a next CA that everybody trusts waits for the grace": {
			state: state{current: a, next: b}, view: view{seen(old, b.certificate), {}}, now: late, want: "every bundle holds the next CA",
			check: func(s state) bool { return s.current.same(a) && s.published.Equal(late) },
		},
		"it still waits a moment before the grace is over": {
			state: state{current: a, next: b, published: late}, view: view{seen(old, b.certificate)}, now: late.Add(maxGrace - 1),
			check: func(s state) bool { return s.current.same(a) },
		},
		"it signs after the grace": {
			state: state{current: a, next: b, published: late}, view: view{seen(old, b.certificate)}, now: late.Add(maxGrace), want: "the next CA signs now",
			check: func(s state) bool { return s.current.same(b) && s.next == nil && holds(s.retiring, old) },
		},
		"it signs without the grace when the CA before has expired": {
			state: state{current: a, next: b, published: start.Add(366 * day)}, view: view{seen(old, b.certificate)}, now: start.Add(366 * day),
			check: func(s state) bool { return s.next == nil || !s.next.same(b) }, want: "made the next CA", // b has expired as well
		},
		"it signs without the grace when only the CA before has expired": {
			state: state{current: a, next: young, published: start.Add(366 * day)}, view: view{seen(old, young.certificate)}, now: start.Add(366 * day),
			check: func(s state) bool { return s.current.same(young) && holds(s.retiring, old) }, want: "the next CA signs now",
		},
		"the first one waits for the grace as well": {
			state: state{next: b, published: late}, view: view{seen(b.certificate)}, now: late.Add(maxGrace - 1),
			check: func(s state) bool { return s.current == nil && s.next.same(b) },
		},
		"then it signs, and none retires": {
			state: state{next: b, published: late}, view: view{seen(b.certificate)}, now: late.Add(maxGrace), want: "the next CA signs now",
			check: func(s state) bool { return s.current.same(b) && len(s.retiring) == 0 },
		},
		"an expired CA is replaced, not at once but in order": {
			state: state{current: a}, view: view{seen(old)}, now: start.Add(366 * day), want: "made the next CA",
			check: func(s state) bool { return s.current.same(a) && s.next != nil },
		},
		"a CA that is not valid yet is replaced": {
			state: state{current: a}, view: view{seen(old)}, now: start.Add(-day), want: "made the next CA",
			check: func(s state) bool { return s.next.lives(start.Add(-day)) },
		},
		"a publication in the future counts from now": {
			state: state{current: a, next: b, published: late.Add(100 * day)}, view: view{seen(old, b.certificate)}, now: late, want: "every bundle holds the next CA",
			check: func(s state) bool { return s.published.Equal(late) },
		},
		"a promotion in the future counts from now": {
			state: state{current: a, promoted: start.Add(100 * day)}, view: view{seen(old)}, now: start.Add(day),
			want:  "the CA signs since a moment that is still to come: took it for now",
			check: func(s state) bool { return s.promoted.Equal(start.Add(day)) },
		},
		"the old CA stays as long as its last leaf": {
			state: state{current: b, retiring: []*x509.Certificate{old}, promoted: start}, view: view{seen(old, b.certificate)}, now: start.Add(7 * day),
			check: func(s state) bool { return holds(s.retiring, old) },
		},
		"the old CA is forgotten only when no bundle holds it": {
			state: state{current: b, retiring: []*x509.Certificate{old}, promoted: start}, view: view{seen(old, b.certificate)}, now: start.Add(8 * day),
			check: func(s state) bool {
				trusted, gone := yearly.published(s, start.Add(8*day))
				return holds(s.retiring, old) && !holds(trusted, old) && holds(gone, old)
			},
		},
		"it is not forgotten while a bundle may hold it": {
			state: state{current: b, retiring: []*x509.Certificate{old}, promoted: start}, view: view{seen(b.certificate), {err: errors.New("forbidden")}}, now: start.Add(8 * day),
			check: func(s state) bool { return holds(s.retiring, old) },
		},
		"nor before the clock of a replica that is behind has seen its last leaf end": {
			state: state{current: b, retiring: []*x509.Certificate{old}, promoted: start}, view: view{seen(b.certificate)}, now: start.Add(7*day + yearly.skew - 1),
			check: func(s state) bool {
				trusted, _ := yearly.published(s, start.Add(7*day+yearly.skew-1))
				return holds(s.retiring, old) && holds(trusted, old)
			},
		},
		"then it is forgotten": {
			state: state{current: b, retiring: []*x509.Certificate{old}, promoted: start}, view: view{seen(b.certificate)}, now: start.Add(7*day + yearly.skew),
			want:  "the last leaf of the CA before has expired",
			check: func(s state) bool { return len(s.retiring) == 0 },
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, happened := must.Get2(yearly.plan(test.state, test.view, test.now))(t)
			if happened != test.want || !test.check(got) {
				t.Errorf("%q: %+v, want %q", happened, got, test.want)
			}
		})
	}
	t.Run("nothing is made when it is not known what callers trust", func(t *testing.T) {
		if _, _, err := yearly.plan(state{}, view{{err: errors.New("forbidden")}}, start); err == nil {
			t.Error("made a CA")
		}
	})
}

// While every bundle holds the next CA the log says until when the server waits.
func TestAccountSaysUntilWhen(t *testing.T) {
	if got := fmt.Sprint(yearly.account(state{published: start})...); !strings.Contains(got, fmt.Sprint("nextSignsFrom", start.Add(maxGrace))) {
		t.Error(got)
	}
	if got := fmt.Sprint(yearly.account(state{})...); strings.Contains(got, "nextSignsFrom") {
		t.Errorf("nothing waits: %s", got)
	}
}

// TestLeavesAreTrustedForThreeYears goes through three years of rounds with replicas that look at odd times, and asks
// at each moment whether every leaf that may be served is trusted by every bundle. One of them is cut off for weeks.
func TestLeavesAreTrustedForThreeYears(t *testing.T) {
	type replica struct {
		signing *ca
		read    time.Time // of the Secret
		leaf    *x509.Certificate
		pause   time.Duration
		next    time.Time
	}
	replicas := []*replica{{pause: 11 * time.Hour}, {pause: 30 * time.Hour}, {pause: 20 * day}}
	var secret state
	bundles := view{seen(), seen()}
	changes := map[string]int{}
	for now := start; now.Before(start.Add(3 * 365 * day)); now = now.Add(11 * time.Hour) {
		for _, r := range replicas {
			if now.Before(r.next) {
				continue
			}
			r.next = now.Add(r.pause)
			var happened string
			var err error
			if secret, happened, err = yearly.plan(secret, bundles, now); err != nil {
				t.Fatal(err)
			}
			changes[happened]++
			publishAll(bundles, secret, now)
			r.signing, r.read = secret.current, now
			key := r.signing.key.Public()
			if r.leaf, err = r.signing.sign(&x509.Certificate{PublicKey: key}, now.Add(-yearly.skew), earlier(now.Add(yearly.leaf), r.read.Add(yearly.leaf))); err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range bundles {
			pool := x509.NewCertPool()
			for _, c := range o.bundles[0].has {
				pool.AddCert(c)
			}
			for i, r := range replicas {
				if now.After(r.leaf.NotAfter) {
					continue // it cannot serve; only the one that is cut off gets here
				}
				if _, err := r.leaf.Verify(x509.VerifyOptions{Roots: pool, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
					t.Fatalf("%s: the leaf of replica %d is not trusted: %v", now, i, err)
				}
			}
		}
	}
	if changes["the next CA signs now"] != 4 || changes["the last leaf of the CA before has expired"] != 4 {
		t.Errorf("the CA was not replaced every eight months: %v", changes)
	}
	for _, o := range bundles {
		if n := len(o.bundles[0].has); n != 1 {
			t.Errorf("a bundle is left with %d certificates", n)
		}
	}
}
