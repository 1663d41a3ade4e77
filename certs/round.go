package certs

import (
	"context"
	"crypto/x509"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
)

// stepPause is the pause before the next round after something has changed.
const stepPause = time.Second

// Run reads the Secret and the bundles and takes the steps that are due, until ctx is done. It returns nil.
func (a *Shared) Run(ctx context.Context) error {
	for {
		pause := a.policy.interval()
		changed, err := a.round(ctx)
		if changed {
			pause = min(pause, stepPause)
		}
		if ctx.Err() == nil {
			a.report(err)
		}
		a.renew()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait.Jitter(pause*9/10, 0.2)): // so that replicas do not synchronize
		}
	}
}

// round takes at most one step, in this order: save the Secret, publish the bundles, sign. So a CA is in the Secret
// before it is in a bundle, and in every bundle before it signs.
func (a *Shared) round(ctx context.Context) (changed bool, err error) {
	begin := a.Clock.Now()
	secret, current, err := a.load(ctx)
	if err != nil {
		return false, err
	}
	a.confirm(current, begin)
	for _, o := range a.objects {
		o.read(ctx, a.dynamic)
	}
	next, step, err := a.policy.plan(current, a.objects, a.Clock.Now())
	if err != nil {
		return false, errors.Join(append([]error{err}, a.failures()...)...)
	}
	if err := a.save(ctx, secret, next); err != nil { // writes nothing if the Secret has the state already
		a.record()
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
			return true, nil // another replica was first
		}
		return false, err
	}
	if step != "" {
		a.Logger.Info("Certificate authority: "+step, a.policy.logFields(next)...)
	}
	changed = step != ""
	trusted, retired := a.policy.bundleContent(next, a.Clock.Now())
	for _, o := range a.objects {
		if o.publish(ctx, a.dynamic, trusted, retired, a.Clock.Now()) {
			a.Logger.Info("Wrote the CA bundle", "object", o.String(), "certificates", len(trusted))
			changed = true
		}
	}
	a.adopt(next, begin)
	a.record()
	return changed, errors.Join(a.failures()...)
}

// confirm records that the Secret was seen to contain the CA that this replica signs with, even if the rest of the
// round fails.
func (a *Shared) confirm(s state, readAt time.Time) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if s.current != nil && s.current.equals(a.signingCA) {
		a.secretReadAt = readAt
	}
}

// adopt records the state that the Secret had at a time. If it has a new current CA, this replica starts to sign with
// it. As long as the previous CA is valid, the replica first waits until it has seen the new one in every bundle.
func (a *Shared) adopt(s state, readAt time.Time) {
	a.lastState = s
	if s.current == nil {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	previous := a.signingCA
	if !s.current.equals(previous) {
		isPublished := a.objects.allHold([]*x509.Certificate{s.current.certificate})
		if previous.isValidAt(readAt) && !isPublished {
			return
		}
		a.signingCA = s.current
		a.metrics.recordSigningCA(s.current.certificate.NotAfter)
		a.Logger.Info("Signing with a new CA", "notAfter", s.current.certificate.NotAfter)
		a.notify()
	}
	a.secretReadAt = readAt
}

// record reports for each object whether its bundles contain the CA that signs.
func (a *Shared) record() {
	signingCA := a.CA()
	for _, o := range a.objects {
		if apierrors.IsConflict(o.err) {
			continue // another client has just written it: the next round reads it
		}
		a.metrics.setBundle(o.String(), o.err == nil && (signingCA == nil || !o.lacks(signingCA)))
	}
}

// failures returns the errors of the objects, without conflicts, which the next round resolves.
func (a *Shared) failures() []error {
	var all []error
	for _, o := range a.objects {
		if !apierrors.IsConflict(o.err) { // Join ignores nil
			all = append(all, o.err)
		}
	}
	return all
}

// report logs an error when it first occurs, and a message when it is resolved.
func (a *Shared) report(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	switch {
	case text == a.lastError:
	case err != nil:
		a.Logger.Error(err, "The certificate authority failed, retrying", "every", a.policy.interval())
	default:
		a.Logger.Info("The certificate authority recovered")
	}
	a.lastError = text
}
