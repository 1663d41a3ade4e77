package certs

import (
	"cmp"
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

// seen returns an object whose bundle contains certificates.
func seen(certificates ...*x509.Certificate) *caBundleObject {
	return &caBundleObject{resource: customResourceDefinitions, name: "x", bundles: []bundle{{has: certificates}}}
}

// publishAll adds the certificates to publish to every bundle, as rounds do.
func publishAll(objects caBundleObjects, s state, now time.Time) {
	trusted, gone := yearly.bundleContent(s, now)
	for _, o := range objects {
		for i, b := range o.bundles {
			o.bundles[i].has, _ = merge(b.has, trusted, gone, now)
		}
	}
}

func TestPlan(t *testing.T) {
	a, b := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	young := made(t, commonName, start.Add(300*day), 365*day)
	stranger := made(t, "of another issuer", start, 365*day).certificate
	old, unread := a.certificate, &caBundleObject{err: errors.New("forbidden")}
	const late = 244 * day // of a year
	at := start.Add
	first := state{current: a, currentSignsSince: start}
	replaced := state{current: b, retiring: []*x509.Certificate{old}, currentSignsSince: start}
	both, published := state{current: a, next: b}, state{current: a, next: b, nextPublishedAt: at(late)}
	all, onlyNew := seen(old, b.certificate), seen(b.certificate)
	// said describes a state, with days since the start.
	said := func(s state) (words string) {
		names := map[*x509.Certificate]string{
			a.certificate: "a", b.certificate: "b", young.certificate: "young", stranger: "stranger",
		}
		for i, c := range []*ca{s.current, s.next} {
			if c != nil {
				words += []string{"", "next "}[i] + cmp.Or(names[c.certificate], "new") + ", "
			}
		}
		for _, c := range s.retiring {
			words += names[c] + " retires, "
		}
		for what, moment := range []time.Time{s.nextPublishedAt, s.currentSignsSince} {
			if !moment.IsZero() {
				words += fmt.Sprintf("%s %d, ", []string{"published", "promoted"}[what], moment.Sub(start)/day)
			}
		}
		return strings.TrimSuffix(words, ", ")
	}
	tests := map[string]struct {
		state    state
		objects  caBundleObjects
		now      time.Duration
		happened string
		want     string
	}{
		"the first CA signs immediately if no bundle has a CA": {
			state{}, caBundleObjects{seen()}, 0, "generated the first CA", "new, promoted 0",
		},
		"the first CA waits when others are trusted": {
			state{},
			caBundleObjects{seen(), seen(stranger)},
			0,
			"generated a CA, which signs once it is published",
			"next new, promoted 0",
		},
		"an expired CA in a bundle is ignored": {
			state{}, caBundleObjects{seen(stranger)}, 400 * day, "generated the first CA", "new, promoted 400",
		},
		"a claimbridge CA in a bundle is kept after the Secret was emptied": {
			state{},
			caBundleObjects{seen(old)},
			day,
			"generated a CA, which signs once it is published",
			"next new, a retires, promoted 1",
		},
		"a claimbridge CA that is not in the Secret retires": {
			state{current: b, currentSignsSince: start},
			caBundleObjects{all},
			100 * day,
			"found a claimbridge CA in a bundle that is not in the Secret", "b, a retires, promoted 100",
		},
		"nothing happens in the first two thirds": {first, caBundleObjects{seen(old)}, late - day, "", "a, promoted 0"},
		"the next CA is made after two thirds": {
			first, caBundleObjects{seen(old)}, late, "generated the next CA", "a, next new, promoted 0",
		},
		"a next CA that one bundle lacks does not sign": {
			both, caBundleObjects{all, seen(old)}, late, "", "a, next b",
		},
		"a next CA that one object might lack does not sign": {
			published, caBundleObjects{all, unread}, late, "the next CA is missing in a bundle again", "a, next b",
		},
		"a next CA in every bundle waits for the grace period": {
			both, caBundleObjects{all, {}}, late, "every bundle contains the next CA", "a, next b, published 244",
		},
		"it still waits a moment before the grace is over": {
			published, caBundleObjects{all}, late + maxGrace - 1, "", "a, next b, published 244",
		},
		"it signs after the grace": {
			published, caBundleObjects{all}, late + maxGrace, "the next CA became the current CA", "b, a retires, promoted 244",
		},
		"it does not sign when it has expired as well": {
			published, caBundleObjects{all}, 366 * day, "generated the next CA", "a, next new",
		},
		"it signs without the grace when only the CA before has expired": {
			state{current: a, next: young, nextPublishedAt: at(366 * day)},
			caBundleObjects{seen(old, young.certificate)},
			366 * day,
			"the next CA became the current CA", "young, a retires, promoted 366",
		},
		"the first one waits for the grace as well": {
			state{next: b, nextPublishedAt: at(late)},
			caBundleObjects{onlyNew},
			late + maxGrace - 1,
			"",
			"next b, published 244",
		},
		"then it signs, and none retires": {
			state{next: b, nextPublishedAt: at(late)},
			caBundleObjects{onlyNew},
			late + maxGrace,
			"the next CA became the current CA",
			"b, promoted 244",
		},
		"an expired CA is replaced, not at once but in order": {
			first, caBundleObjects{seen(old)}, 366 * day, "generated the next CA", "a, next new, promoted 0",
		},
		"a CA that is not valid yet is replaced": {
			state{current: a}, caBundleObjects{seen(old)}, -day, "generated the next CA", "a, next new",
		},
		"a publication in the future counts from now": {
			state{current: a, next: b, nextPublishedAt: at(2 * late)},
			caBundleObjects{all},
			late,
			"every bundle contains the next CA",
			"a, next b, published 244",
		},
		"a promotion in the future counts from now": {
			state{current: a, currentSignsSince: at(100 * day)},
			caBundleObjects{seen(old)},
			day,
			"reset the signing start of the CA, which was in the future", "a, promoted 1",
		},
		"the old CA stays as long as its last leaf": {
			replaced, caBundleObjects{all}, 7 * day, "", "b, a retires, promoted 0",
		},
		"the old CA is forgotten only when no bundle holds it": {
			replaced, caBundleObjects{all}, 8 * day, "", "b, a retires, promoted 0",
		},
		"it is not forgotten while a bundle may hold it": {
			replaced, caBundleObjects{onlyNew, unread}, 8 * day, "", "b, a retires, promoted 0",
		},
		"nor before the last clock has seen its last leaf end": {
			replaced, caBundleObjects{onlyNew}, 7*day + yearly.skew - 1, "", "b, a retires, promoted 0",
		},
		"then it is forgotten": {
			replaced,
			caBundleObjects{onlyNew},
			7*day + yearly.skew,
			"the last certificate of the previous CA has expired",
			"b, promoted 0",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, happened := must.Get2(yearly.plan(test.state, test.objects, at(test.now)))(t)
			if happened != test.happened || said(got) != test.want {
				t.Errorf("%q: %s, want %q: %s", happened, said(got), test.happened, test.want)
			}
			if got.next != nil && test.happened == "generated the next CA" && !got.next.isValidAt(at(test.now)) {
				t.Error("what was made does not live")
			}
		})
	}
	for after, want := range map[time.Duration]bool{7*day + yearly.skew - 1: true, 7*day + yearly.skew: false} {
		trusted, gone := yearly.bundleContent(replaced, at(after))
		if holds(trusted, old) != want || holds(gone, old) == want {
			t.Errorf("after %s the old CA is trusted: %v, want %v", after, !want, want)
		}
	}
	t.Run("nothing is made when it is not known what callers trust", func(t *testing.T) {
		if _, _, err := yearly.plan(state{}, caBundleObjects{{err: errors.New("forbidden")}}, start); err == nil {
			t.Error("made a CA")
		}
	})
}

// While every bundle contains the next CA, the log has the time at which it starts to sign.
func TestLogHasTheTimeOfTheNextSignature(t *testing.T) {
	if got := fmt.Sprint(yearly.logFields(state{nextPublishedAt: start})...); !strings.Contains(got,
		fmt.Sprint("nextSignsFrom", start.Add(maxGrace))) {
		t.Error(got)
	}
	if got := fmt.Sprint(yearly.logFields(state{})...); strings.Contains(got, "nextSignsFrom") {
		t.Errorf("nothing waits: %s", got)
	}
}

// TestServingCertificatesAreTrustedForThreeYears simulates three years of rounds with replicas that run at different
// times. At each moment, every bundle must trust every certificate that can be served. One replica is disconnected for
// weeks.
func TestServingCertificatesAreTrustedForThreeYears(t *testing.T) {
	type replica struct {
		signing *ca
		read    time.Time // of the Secret
		leaf    *x509.Certificate
		pause   time.Duration
		next    time.Time
	}
	replicas := []*replica{{pause: 11 * time.Hour}, {pause: 30 * time.Hour}, {pause: 20 * day}}
	var secret state
	bundles := caBundleObjects{seen(), seen()}
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
			r.leaf, err = r.signing.sign(&x509.Certificate{PublicKey: key}, now.Add(-yearly.skew),
				r.read.Add(yearly.leaf))
			if err != nil {
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
					continue // it cannot serve; this happens only to the disconnected replica
				}
				_, err := r.leaf.Verify(x509.VerifyOptions{
					Roots:       pool,
					CurrentTime: now,
					KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
				})
				if err != nil {
					t.Fatalf("%s: the leaf of replica %d is not trusted: %v", now, i, err)
				}
			}
		}
	}
	if changes["the next CA became the current CA"] != 4 ||
		changes["the last certificate of the previous CA has expired"] != 4 {
		t.Errorf("the CA was not replaced every eight months: %v", changes)
	}
	for _, o := range bundles {
		if n := len(o.bundles[0].has); n != 1 {
			t.Errorf("a bundle is left with %d certificates", n)
		}
	}
}
