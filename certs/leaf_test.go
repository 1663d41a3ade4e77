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
	signingCA := newTestCA(t, commonName, start, 365*day)
	tests := map[string]struct {
		signingCA    *ca
		secretReadAt time.Duration // since the start, like the others
		now          time.Duration
		notAfter     time.Duration // 0 if nothing is signed
	}{
		"no CA":                                            {nil, 0, 0, 0},
		"the Secret was just read":                         {signingCA, day, day, 8 * day},
		"the Secret was read two days ago":                 {signingCA, day, 3 * day, 8 * day},
		"the Secret was read too long ago":                 {signingCA, day, 7*day + 8*time.Hour, 0},
		"the certificate expires with the CA":              {signingCA, 360 * day, 360 * day, 365 * day},
		"the CA expires too soon":                          {signingCA, 364*day + 8*time.Hour, 364*day + 8*time.Hour, 0},
		"a tenth of the validity is left":                  {signingCA, 0, 6*day + 7*time.Hour + 12*time.Minute, 7 * day},
		"less than a tenth of the validity is left":        {signingCA, 0, 6*day + 7*time.Hour + 12*time.Minute + 1, 0},
		"the clock was set back since the Secret was read": {signingCA, 2 * day, day, 9 * day},
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
			a.signingCA, a.secretReadAt = test.signingCA, start.Add(test.secretReadAt)
			leaf, err := a.Sign(&x509.Certificate{PublicKey: key, DNSNames: []string{"a.b.svc"}})
			if test.notAfter == 0 {
				if !errors.Is(err, errNotYet) {
					t.Errorf("got %v, %v", leaf, err)
				}
				return
			}
			if err != nil || !leaf.NotAfter.Equal(start.Add(test.notAfter)) ||
				leaf.CheckSignatureFrom(signingCA.certificate) != nil {
				t.Fatalf("got %+v, %v", leaf, err)
			}
			// A client whose clock is ahead would immediately request another certificate.
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); !errors.Is(err, errNotYet) {
				t.Errorf("a second certificate immediately: %v", err)
			}
			a.leaf.NotBefore = a.Clock.Now().Add(1) // the clock was set back: renew immediately
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); err != nil {
				t.Errorf("after the clock was set back: %v", err)
			}
			a.notify() // a rotation of the CA does not wait
			if _, err := a.Sign(&x509.Certificate{PublicKey: key}); err != nil {
				t.Errorf("after a rotation: %v", err)
			}
		})
	}
}
