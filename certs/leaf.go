package certs

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"
)

// errNotYet means that there is no certificate now and there may be one soon.
var errNotYet = errors.New("certificate not available")

// isLeafDue reports whether a certificate should be replaced: after three quarters of its validity, because the
// DynamicSource that requested it did not replace it after two thirds, or when a clock has stepped back.
func isLeafDue(leaf *x509.Certificate, now time.Time) bool {
	return now.Before(leaf.NotBefore) || now.After(leaf.NotBefore.Add(leaf.NotAfter.Sub(leaf.NotBefore)*3/4))
}

// Sign signs a certificate for a template with public key, names and usages.
//
// The validity counts from the time at which the Secret was last read, not from now. So a replica that has not seen a
// rotation signs nothing that outlives the trust in its CA.
func (a *Shared) Sign(template *x509.Certificate) (*x509.Certificate, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.signingCA == nil {
		return nil, fmt.Errorf("the CA in the Secret %s/%s: %w", a.Namespace, a.Name, errNotYet)
	}
	now := a.Clock.Now()
	notAfter := slices.MinFunc([]time.Time{
		a.secretReadAt.Add(a.policy.leafValidity), a.signingCA.certificate.NotAfter,
	}, time.Time.Compare)
	if notAfter.Sub(now) < a.policy.leafValidity/10 {
		return nil, fmt.Errorf("the CA in the Secret %s/%s expires too soon, or was not read for too long: %w",
			a.Namespace, a.Name, errNotYet)
	}
	// DynamicSource decides by this machine's clock. If that is ahead, it requests certificates without a pause.
	if time.Since(a.signedAt) < min(stepPause, a.policy.interval()) && a.leaf != nil && !isLeafDue(a.leaf, now) {
		return nil, fmt.Errorf("a certificate was signed less than a second ago: %w", errNotYet)
	}
	leaf, err := a.signingCA.sign(template, now.Add(-a.policy.skew), notAfter)
	if err != nil {
		return nil, err
	}
	a.leaf = leaf
	a.signedAt = time.Now()
	a.metrics.countServingCertificate()
	a.Logger.Info("Signed a serving certificate", "names", leaf.DNSNames, "notAfter", leaf.NotAfter)
	return leaf, nil
}

// renew notifies the watchers if the last certificate is due.
func (a *Shared) renew() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.leaf != nil && isLeafDue(a.leaf, a.Clock.Now()) {
		a.notify()
	}
}

// notify notifies the watchers that they must request new certificates. The caller holds the mutex.
func (a *Shared) notify() {
	a.signedAt = time.Time{}
	for _, watch := range a.watches {
		select {
		case watch <- struct{}{}:
		default: // a notification is pending
		}
	}
}

// WatchRotation sends to a channel, without blocking, when certificates must be signed again.
func (a *Shared) WatchRotation(watch chan<- struct{}) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.watches = append(a.watches, watch)
}

// StopWatchingRotation ends the notifications to a channel.
func (a *Shared) StopWatchingRotation(watch chan<- struct{}) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.watches = slices.DeleteFunc(a.watches, func(w chan<- struct{}) bool { return w == watch })
}

// CA returns the certificate of the CA that signs, or none before there is one.
func (a *Shared) CA() []*x509.Certificate {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.signingCA == nil {
		return nil
	}
	return []*x509.Certificate{a.signingCA.certificate}
}
