package certs

import (
	"crypto/x509"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestSign(t *testing.T) {
	key := newTestCA(t, "key", start, day).key.Public()
	signing := newTestCA(t, commonName, start, 365*day)
	tests := map[string]struct {
		signing *ca
		read    time.Duration // after the start, as now
		now     time.Duration
		ends    time.Duration // 0 if nothing is signed
	}{
		"without a CA":                            {nil, 0, 0, 0},
		"a week when the Secret was just read":    {signing, day, day, 8 * day},
		"less when it was read before":            {signing, day, 3 * day, 8 * day},
		"nothing when it was read too long ago":   {signing, day, 7*day + 8*time.Hour, 0},
		"no longer than the CA":                   {signing, 360 * day, 360 * day, 365 * day},
		"nothing when the CA ends":                {signing, 364*day + 8*time.Hour, 364*day + 8*time.Hour, 0},
		"until its end when a tenth is left":      {signing, 0, 6*day + 7*time.Hour + 12*time.Minute, 7 * day},
		"nothing when less than that is left":     {signing, 0, 6*day + 7*time.Hour + 12*time.Minute + 1, 0},
		"a week when this replica's clock is off": {signing, 2 * day, day, 9 * day},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := must.Get(NewShared(Config{
				Cluster:   &rest.Config{},
				Namespace: "a",
				Name:      "b",
				Clock:     testclock.NewFakePassiveClock(start.Add(test.now)),
				Logger:    logr.Discard(),
			}))(t)
			a.signingCA, a.secretReadAt = test.signing, start.Add(test.read)
			leaf, err := a.Sign(&x509.Certificate{PublicKey: key, DNSNames: []string{"a.b.svc"}})
			if test.ends == 0 {
				if !errors.Is(err, errNotYet) {
					t.Errorf("got %v, %v", leaf, err)
				}
				return
			}
			if err != nil || !leaf.NotAfter.Equal(start.Add(test.ends)) ||
				leaf.CheckSignatureFrom(signing.certificate) != nil {
				t.Fatalf("got %+v, %v", leaf, err)
			}
			// A client whose clock is ahead would immediately request another certificate.
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); !errors.Is(err, errNotYet) {
				t.Errorf("a second one at once: %v", err)
			}
			a.leaf.NotBefore = a.Clock.Now().Add(1) // the clock was set back: renew immediately
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); err != nil {
				t.Errorf("signs again: %v", err)
			}
			a.notify() // but the rotation of a CA does not wait
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); err != nil {
				t.Errorf("after a rotation: %v", err)
			}
		})
	}
}
