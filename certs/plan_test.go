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

func newTestCA(t testing.TB, name string, notBefore time.Time, validity time.Duration) *ca {
	t.Helper()
	return must.Get(newCA(name, notBefore, notBefore.Add(validity)))(t)
}

// newTestObject returns an object whose bundle contains certificates.
func newTestObject(certificates ...*x509.Certificate) *caBundleObject {
	bundles := []bundle{{certificates: certificates}}
	return &caBundleObject{resource: customResourceDefinitions, name: "x", bundles: bundles}
}

// publishAll adds the certificates to publish to every bundle, as rounds do.
func publishAll(objects caBundleObjects, s state, now time.Time) {
	trusted, retired := yearly.bundleContent(s, now)
	for _, o := range objects {
		for i, b := range o.bundles {
			o.bundles[i].certificates, _ = merge(b.certificates, trusted, retired, now)
		}
	}
}

func TestPlan(t *testing.T) {
	a, b := newTestCA(t, commonName, start, 365*day), newTestCA(t, commonName, start, 365*day)
	young := newTestCA(t, commonName, start.Add(300*day), 365*day)
	foreign := newTestCA(t, "another issuer", start, 365*day).certificate
	oldCA, unreadable := a.certificate, &caBundleObject{err: errors.New("forbidden")}
	const dueAt = 244 * day // two thirds of a year
	at := start.Add
	first := state{current: a, currentSignsSince: start}
	replaced := state{current: b, retiring: []*x509.Certificate{oldCA}, currentSignsSince: start}
	unpublished, published := state{current: a, next: b}, state{current: a, next: b, nextPublishedAt: at(dueAt)}
	bothCAs, onlyNewCA := newTestObject(oldCA, b.certificate), newTestObject(b.certificate)
	// describe returns a state as text, with days since the start.
	describe := func(s state) (text string) {
		names := map[*x509.Certificate]string{
			a.certificate: "a", b.certificate: "b", young.certificate: "young", foreign: "foreign",
		}
		for i, c := range []*ca{s.current, s.next} {
			if c != nil {
				text += []string{"", "next "}[i] + cmp.Or(names[c.certificate], "new") + ", "
			}
		}
		for _, c := range s.retiring {
			text += names[c] + " retires, "
		}
		for i, moment := range []time.Time{s.nextPublishedAt, s.currentSignsSince} {
			if !moment.IsZero() {
				text += fmt.Sprintf("%s %d, ", []string{"published", "promoted"}[i], moment.Sub(start)/day)
			}
		}
		return strings.TrimSuffix(text, ", ")
	}
	tests := map[string]struct {
		state   state
		objects caBundleObjects
		now     time.Duration
		step    string
		want    string
	}{
		"the first CA signs immediately if no bundle has a CA": {
			state:   state{},
			objects: caBundleObjects{newTestObject()},
			step:    "generated the first CA",
			want:    "new, promoted 0",
		},
		"the first CA waits if bundles have another CA": {
			state:   state{},
			objects: caBundleObjects{newTestObject(), newTestObject(foreign)},
			step:    "generated a CA, which signs once it is published",
			want:    "next new, promoted 0",
		},
		"an expired CA in a bundle is ignored": {
			state:   state{},
			objects: caBundleObjects{newTestObject(foreign)},
			now:     400 * day,
			step:    "generated the first CA",
			want:    "new, promoted 400",
		},
		"a claimbridge CA in a bundle is kept after the Secret was emptied": {
			state:   state{},
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     day,
			step:    "generated a CA, which signs once it is published",
			want:    "next new, a retires, promoted 1",
		},
		"a claimbridge CA that is not in the Secret retires": {
			state:   state{current: b, currentSignsSince: start},
			objects: caBundleObjects{bothCAs},
			now:     100 * day,
			step:    "a bundle contains a claimbridge CA that is not in the Secret",
			want:    "b, a retires, promoted 100",
		},
		"nothing happens in the first two thirds": {
			state:   first,
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     dueAt - day,
			want:    "a, promoted 0",
		},
		"the next CA is generated after two thirds": {
			state:   first,
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     dueAt,
			step:    "generated the next CA",
			want:    "a, next new, promoted 0",
		},
		"a next CA that one bundle lacks does not sign": {
			state:   unpublished,
			objects: caBundleObjects{bothCAs, newTestObject(oldCA)},
			now:     dueAt,
			want:    "a, next b",
		},
		"a next CA that one object might lack does not sign": {
			state:   published,
			objects: caBundleObjects{bothCAs, unreadable},
			now:     dueAt,
			step:    "the next CA is missing in a bundle again",
			want:    "a, next b",
		},
		"a next CA in every bundle waits for the grace period": {
			state:   unpublished,
			objects: caBundleObjects{bothCAs, {}},
			now:     dueAt,
			step:    "every bundle contains the next CA",
			want:    "a, next b, published 244",
		},
		"a published CA does not sign before the end of the grace period": {
			state:   published,
			objects: caBundleObjects{bothCAs},
			now:     dueAt + maxGrace - 1,
			want:    "a, next b, published 244",
		},
		"a published CA signs after the grace period": {
			state:   published,
			objects: caBundleObjects{bothCAs},
			now:     dueAt + maxGrace,
			step:    "the next CA became the current CA",
			want:    "b, a retires, promoted 244",
		},
		"a published CA that has expired does not sign": {
			state:   published,
			objects: caBundleObjects{bothCAs},
			now:     366 * day,
			step:    "generated the next CA",
			want:    "a, next new",
		},
		"a published CA signs without the grace period if the current CA has expired": {
			state:   state{current: a, next: young, nextPublishedAt: at(366 * day)},
			objects: caBundleObjects{newTestObject(oldCA, young.certificate)},
			now:     366 * day,
			step:    "the next CA became the current CA",
			want:    "young, a retires, promoted 366",
		},
		"the first CA waits for the grace period too": {
			state:   state{next: b, nextPublishedAt: at(dueAt)},
			objects: caBundleObjects{onlyNewCA},
			now:     dueAt + maxGrace - 1,
			want:    "next b, published 244",
		},
		"the first CA signs after the grace period, and no CA retires": {
			state:   state{next: b, nextPublishedAt: at(dueAt)},
			objects: caBundleObjects{onlyNewCA},
			now:     dueAt + maxGrace,
			step:    "the next CA became the current CA",
			want:    "b, promoted 244",
		},
		"an expired CA is replaced in the usual steps": {
			state:   first,
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     366 * day,
			step:    "generated the next CA",
			want:    "a, next new, promoted 0",
		},
		"a CA that is not valid yet is replaced": {
			state:   state{current: a},
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     -day,
			step:    "generated the next CA",
			want:    "a, next new",
		},
		"a publication in the future counts from now": {
			state:   state{current: a, next: b, nextPublishedAt: at(2 * dueAt)},
			objects: caBundleObjects{bothCAs},
			now:     dueAt,
			step:    "every bundle contains the next CA",
			want:    "a, next b, published 244",
		},
		"a promotion in the future counts from now": {
			state:   state{current: a, currentSignsSince: at(100 * day)},
			objects: caBundleObjects{newTestObject(oldCA)},
			now:     day,
			step:    "reset the signing start of the CA, which was in the future",
			want:    "a, promoted 1",
		},
		"the old CA is trusted until its last certificate expires": {
			state:   replaced,
			objects: caBundleObjects{bothCAs},
			now:     7 * day,
			want:    "b, a retires, promoted 0",
		},
		"the old CA is not removed from the Secret while a bundle contains it": {
			state:   replaced,
			objects: caBundleObjects{bothCAs},
			now:     8 * day,
			want:    "b, a retires, promoted 0",
		},
		"the old CA is not removed from the Secret while a bundle may contain it": {
			state:   replaced,
			objects: caBundleObjects{onlyNewCA, unreadable},
			now:     8 * day,
			want:    "b, a retires, promoted 0",
		},
		"the old CA is not removed before its last certificate has expired on every clock": {
			state:   replaced,
			objects: caBundleObjects{onlyNewCA},
			now:     7*day + yearly.skew - 1,
			want:    "b, a retires, promoted 0",
		},
		"the old CA is removed from the Secret": {
			state:   replaced,
			objects: caBundleObjects{onlyNewCA},
			now:     7*day + yearly.skew,
			step:    "the last certificate of the previous CA has expired",
			want:    "b, promoted 0",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, step := must.Get2(yearly.plan(test.state, test.objects, at(test.now)))(t)
			if step != test.step || describe(got) != test.want {
				t.Errorf("%q: %s, want %q: %s", step, describe(got), test.step, test.want)
			}
			if got.next != nil && test.step == "generated the next CA" && !got.next.isValidAt(at(test.now)) {
				t.Error("the generated CA is not valid yet, or has expired")
			}
		})
	}
	for after, want := range map[time.Duration]bool{7*day + yearly.skew - 1: true, 7*day + yearly.skew: false} {
		trusted, retired := yearly.bundleContent(replaced, at(after))
		if holds(trusted, oldCA) != want || holds(retired, oldCA) == want {
			t.Errorf("after %s the old CA is trusted: %v, want %v", after, !want, want)
		}
	}
	t.Run("generates no CA if the trusted CAs are unknown", func(t *testing.T) {
		if _, _, err := yearly.plan(state{}, caBundleObjects{{err: errors.New("forbidden")}}, start); err == nil {
			t.Error("generated a CA")
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
		t.Errorf("there is no next CA, but the log has its time: %s", got)
	}
}

// TestServingCertificatesAreTrustedForThreeYears simulates three years of rounds with replicas that run at different
// times. At each moment, every bundle must trust every certificate that can be served. One replica is disconnected for
// weeks.
func TestServingCertificatesAreTrustedForThreeYears(t *testing.T) {
	type replica struct {
		signingCA    *ca
		secretReadAt time.Time
		leaf         *x509.Certificate
		interval     time.Duration
		nextRound    time.Time
	}
	replicas := []*replica{{interval: 11 * time.Hour}, {interval: 30 * time.Hour}, {interval: 20 * day}}
	var secret state
	bundles := caBundleObjects{newTestObject(), newTestObject()}
	steps := map[string]int{}
	for now := start; now.Before(start.Add(3 * 365 * day)); now = now.Add(11 * time.Hour) {
		for _, r := range replicas {
			if now.Before(r.nextRound) {
				continue
			}
			r.nextRound = now.Add(r.interval)
			var step string
			var err error
			if secret, step, err = yearly.plan(secret, bundles, now); err != nil {
				t.Fatal(err)
			}
			steps[step]++
			publishAll(bundles, secret, now)
			r.signingCA, r.secretReadAt = secret.current, now
			key := r.signingCA.key.Public()
			r.leaf, err = r.signingCA.sign(&x509.Certificate{PublicKey: key}, now.Add(-yearly.skew),
				r.secretReadAt.Add(yearly.leafValidity))
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range bundles {
			pool := x509.NewCertPool()
			for _, c := range o.bundles[0].certificates {
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
	if steps["the next CA became the current CA"] != 4 ||
		steps["the last certificate of the previous CA has expired"] != 4 {
		t.Errorf("the CA was not replaced every eight months: %v", steps)
	}
	for _, o := range bundles {
		if n := len(o.bundles[0].certificates); n != 1 {
			t.Errorf("a bundle is left with %d certificates", n)
		}
	}
}
