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
	foreign := newTestCA(t, "of another issuer", start, 365*day).certificate
	oldCA, unreadable := a.certificate, &caBundleObject{err: errors.New("forbidden")}
	const late = 244 * day // of a year
	at := start.Add
	first := state{current: a, currentSignsSince: start}
	replaced := state{current: b, retiring: []*x509.Certificate{oldCA}, currentSignsSince: start}
	unpublished, published := state{current: a, next: b}, state{current: a, next: b, nextPublishedAt: at(late)}
	bothCAs, onlyNewCA := newTestObject(oldCA, b.certificate), newTestObject(b.certificate)
	// describe returns a state as text, with days since the start.
	describe := func(s state) (words string) {
		names := map[*x509.Certificate]string{
			a.certificate: "a", b.certificate: "b", young.certificate: "young", foreign: "stranger",
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
		state   state
		objects caBundleObjects
		now     time.Duration
		step    string
		want    string
	}{
		"the first CA signs immediately if no bundle has a CA": {
			state{}, caBundleObjects{newTestObject()}, 0, "generated the first CA", "new, promoted 0",
		},
		"the first CA waits if bundles have another CA": {
			state{},
			caBundleObjects{newTestObject(), newTestObject(foreign)},
			0,
			"generated a CA, which signs once it is published",
			"next new, promoted 0",
		},
		"an expired CA in a bundle is ignored": {
			state{}, caBundleObjects{newTestObject(foreign)}, 400 * day, "generated the first CA", "new, promoted 400",
		},
		"a claimbridge CA in a bundle is kept after the Secret was emptied": {
			state{},
			caBundleObjects{newTestObject(oldCA)},
			day,
			"generated a CA, which signs once it is published",
			"next new, a retires, promoted 1",
		},
		"a claimbridge CA that is not in the Secret retires": {
			state{current: b, currentSignsSince: start},
			caBundleObjects{bothCAs},
			100 * day,
			"found a claimbridge CA in a bundle that is not in the Secret", "b, a retires, promoted 100",
		},
		"nothing happens in the first two thirds": {
			first,
			caBundleObjects{newTestObject(oldCA)},
			late - day,
			"",
			"a, promoted 0",
		},
		"the next CA is made after two thirds": {
			first, caBundleObjects{newTestObject(oldCA)}, late, "generated the next CA", "a, next new, promoted 0",
		},
		"a next CA that one bundle lacks does not sign": {
			unpublished, caBundleObjects{bothCAs, newTestObject(oldCA)}, late, "", "a, next b",
		},
		"a next CA that one object might lack does not sign": {
			published,
			caBundleObjects{bothCAs, unreadable},
			late,
			"the next CA is missing in a bundle again",
			"a, next b",
		},
		"a next CA in every bundle waits for the grace period": {
			unpublished,
			caBundleObjects{bothCAs, {}},
			late,
			"every bundle contains the next CA",
			"a, next b, published 244",
		},
		"it still waits a moment before the grace is over": {
			published, caBundleObjects{bothCAs}, late + maxGrace - 1, "", "a, next b, published 244",
		},
		"it signs after the grace": {
			published,
			caBundleObjects{bothCAs},
			late + maxGrace,
			"the next CA became the current CA",
			"b, a retires, promoted 244",
		},
		"it does not sign when it has expired as well": {
			published, caBundleObjects{bothCAs}, 366 * day, "generated the next CA", "a, next new",
		},
		"it signs without the grace when only the CA before has expired": {
			state{current: a, next: young, nextPublishedAt: at(366 * day)},
			caBundleObjects{newTestObject(oldCA, young.certificate)},
			366 * day,
			"the next CA became the current CA", "young, a retires, promoted 366",
		},
		"the first one waits for the grace as well": {
			state{next: b, nextPublishedAt: at(late)},
			caBundleObjects{onlyNewCA},
			late + maxGrace - 1,
			"",
			"next b, published 244",
		},
		"then it signs, and none retires": {
			state{next: b, nextPublishedAt: at(late)},
			caBundleObjects{onlyNewCA},
			late + maxGrace,
			"the next CA became the current CA",
			"b, promoted 244",
		},
		"an expired CA is replaced, not at once but in order": {
			first, caBundleObjects{newTestObject(oldCA)}, 366 * day, "generated the next CA", "a, next new, promoted 0",
		},
		"a CA that is not valid yet is replaced": {
			state{current: a}, caBundleObjects{newTestObject(oldCA)}, -day, "generated the next CA", "a, next new",
		},
		"a publication in the future counts from now": {
			state{current: a, next: b, nextPublishedAt: at(2 * late)},
			caBundleObjects{bothCAs},
			late,
			"every bundle contains the next CA",
			"a, next b, published 244",
		},
		"a promotion in the future counts from now": {
			state{current: a, currentSignsSince: at(100 * day)},
			caBundleObjects{newTestObject(oldCA)},
			day,
			"reset the signing start of the CA, which was in the future", "a, promoted 1",
		},
		"the old CA stays as long as its last leaf": {
			replaced, caBundleObjects{bothCAs}, 7 * day, "", "b, a retires, promoted 0",
		},
		"the old CA is forgotten only when no bundle holds it": {
			replaced, caBundleObjects{bothCAs}, 8 * day, "", "b, a retires, promoted 0",
		},
		"it is not forgotten while a bundle may hold it": {
			replaced, caBundleObjects{onlyNewCA, unreadable}, 8 * day, "", "b, a retires, promoted 0",
		},
		"nor before the last clock has seen its last leaf end": {
			replaced, caBundleObjects{onlyNewCA}, 7*day + yearly.skew - 1, "", "b, a retires, promoted 0",
		},
		"then it is forgotten": {
			replaced,
			caBundleObjects{onlyNewCA},
			7*day + yearly.skew,
			"the last certificate of the previous CA has expired",
			"b, promoted 0",
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
		signing *ca
		read    time.Time // of the Secret
		leaf    *x509.Certificate
		pause   time.Duration
		next    time.Time
	}
	replicas := []*replica{{pause: 11 * time.Hour}, {pause: 30 * time.Hour}, {pause: 20 * day}}
	var secret state
	bundles := caBundleObjects{newTestObject(), newTestObject()}
	steps := map[string]int{}
	for now := start; now.Before(start.Add(3 * 365 * day)); now = now.Add(11 * time.Hour) {
		for _, r := range replicas {
			if now.Before(r.next) {
				continue
			}
			r.next = now.Add(r.pause)
			var step string
			var err error
			if secret, step, err = yearly.plan(secret, bundles, now); err != nil {
				t.Fatal(err)
			}
			steps[step]++
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
