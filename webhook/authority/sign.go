package authority

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrNotYet is why there is no certificate now and may be one soon.
var ErrNotYet = errors.New("certificate not available")

// leafIsDue reports whether a leaf should be replaced: after three quarters of its life, when who
// asked for it has let two thirds go by, or when a clock has stepped back.
func leafIsDue(leaf *x509.Certificate, now time.Time) bool {
	return now.Before(leaf.NotBefore) || now.After(leaf.NotBefore.Add(leaf.NotAfter.Sub(leaf.NotBefore)*3/4))
}

// Sign a certificate for a template with public key, names and usages.
//
// It is valid from the moment at which the Secret was last read, not from now: a replica that has not heard that its CA
// was replaced then signs nothing that outlives the trust in that CA.
func (a *Shared) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.signing == nil {
		return nil, fmt.Errorf("the CA in the Secret %s/%s: %w", a.Namespace, a.Name, ErrNotYet)
	}
	now := a.Clock.Now()
	notAfter := slices.MinFunc([]time.Time{
		a.read.Add(a.policy.leaf), a.signing.certificate.NotAfter,
	}, time.Time.Compare)
	if notAfter.Sub(now) < a.policy.leaf/10 {
		return nil, fmt.Errorf("the CA in the Secret %s/%s ends too soon, or was not seen for too long: %w",
			a.Namespace, a.Name, ErrNotYet)
	}
	// Who asks decides by this machine's clock, and would ask without a pause if that one were ahead.
	if time.Since(a.signed) < min(soon, a.policy.interval()) && a.leaf != nil && !leafIsDue(a.leaf, now) {
		return nil, fmt.Errorf("one certificate a second is enough: %w", ErrNotYet)
	}
	leaf, err := a.signing.sign(template, now.Add(-a.policy.skew), notAfter)
	if err != nil {
		return nil, err
	}
	a.leaf, a.signed = leaf, time.Now()
	a.Recorder.Signed()
	a.Logger.Info("Signed a serving certificate", "names", leaf.DNSNames, "notAfter", leaf.NotAfter)
	return leaf, nil
}

// renew asks for a new leaf when the last one is due.
func (a *Shared) renew() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.leaf != nil && leafIsDue(a.leaf, a.Clock.Now()) {
		a.notify()
	}
}

// notify those who have certificates, so that they ask for new ones. The mutex is held.
func (a *Shared) notify() {
	a.signed = time.Time{}
	for _, watch := range a.watches {
		select {
		case watch <- struct{}{}:
		default: // it has been notified already
		}
	}
}

// WatchRotation posts to a channel when certificates have to be signed anew, if there is room.
func (a *Shared) WatchRotation(watch chan<- struct{}) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.watches = append(a.watches, watch)
}

// StopWatchingRotation ends that.
func (a *Shared) StopWatchingRotation(watch chan<- struct{}) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.watches = slices.DeleteFunc(a.watches, func(w chan<- struct{}) bool { return w == watch })
}

// CA that signs, none before there is one.
func (a *Shared) CA() []*x509.Certificate {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.signing == nil {
		return nil
	}
	return []*x509.Certificate{a.signing.certificate}
}
