package certs

import (
	"crypto/x509"
	"errors"
	"slices"
	"time"
)

// policy has the durations that plan uses. All of them follow from the two validities, see [Config].
type policy struct {
	// caValidity and leafValidity are how long a CA and a serving certificate are valid.
	caValidity, leafValidity time.Duration
	// grace is the time between the moment when every bundle was seen to contain a CA and the CA's first signature.
	grace time.Duration
	// skew is the difference between clocks that is tolerated.
	skew time.Duration
}

const (
	// maxGrace is the maximum of policy.grace. An API server sees a change within a second. If its watch was
	// interrupted, it lists again after a back-off of at most 30 s. Two minutes are enough for several of these.
	maxGrace = 2 * time.Minute
	// maxInterval is the longest interval between two reads of the Secret and the bundles, as in cert-manager's
	// DynamicAuthority.
	maxInterval = 10 * time.Second
)

func newPolicy(caValidity, leafValidity time.Duration) policy {
	return policy{
		caValidity:   caValidity,
		leafValidity: leafValidity,
		grace:        min(maxGrace, leafValidity/4),
		skew:         min(clockSkew, leafValidity/10),
	}
}

func (p policy) interval() time.Duration { return min(maxInterval, p.leafValidity/10) }

// isDue reports whether a CA should be replaced: after two thirds of its validity, as in cert-manager, so that a third
// remains to repair a failed rotation, or immediately if it is not valid.
func (p policy) isDue(c *ca, now time.Time) bool {
	lifetime := c.certificate.NotAfter.Sub(c.certificate.NotBefore)
	return !c.isValidAt(now) || now.After(c.certificate.NotAfter.Add(-lifetime/3))
}

// isRetirementOver reports whether all certificates that earlier CAs have signed have expired.
func (p policy) isRetirementOver(s state, now time.Time) bool {
	return !now.Before(s.currentSignsSince.Add(p.leafValidity + p.skew))
}

// bundleContent returns the certificates that every bundle should contain, and those that must be removed.
func (p policy) bundleContent(s state, now time.Time) (trusted, retired []*x509.Certificate) {
	if p.isRetirementOver(s, now) {
		retired, s.retiring = s.retiring, nil
	}
	return s.trusted(), retired
}

// plan returns the next state, which is at most one step away, and a description of the step, or "" if there is nothing
// to do. The step depends only on the Secret (s), the caBundles and the time, so all replicas choose the same one. A
// step that adds a CA generates its key.
//
//	empty ──> current                                 no bundle holds a CA yet
//	empty ──> next                                    a bundle holds a CA: publish the new one first
//	current ──> current+next ──> published in every bundle ──> next is current, the old CA retires ──> removed
func (p policy) plan(s state, objects caBundleObjects, now time.Time) (next state, step string, err error) {
	unknownCAs := objects.unknownCAs(s, now)
	switch {
	case s.isEmpty() && objects.hasUnreadable():
		return s, "", errors.New("cannot generate a CA before all caBundles can be read")
	case s.isEmpty() && objects.hasNoValidCertificate(now):
		s.currentSignsSince = now
		s.current, err = p.generateCA(now)
		return s, "generated the first CA", err
	case s.isEmpty():
		s.retiring = unknownCAs
		s.currentSignsSince = now
		s.next, err = p.generateCA(now)
		return s, "generated a CA, which signs once it is published", err
	case len(unknownCAs) > 0:
		// The Secret was restored from a backup, or emptied. Certificates that the unknown CA signed may be in use for as
		// long as if it had been replaced just now.
		s.retiring = append(slices.Clone(s.retiring), unknownCAs...)
		s.currentSignsSince = now
		return s, "a bundle contains a claimbridge CA that is not in the Secret", nil
	case s.next == nil && p.isDue(s.current, now), s.next != nil && !s.next.isValidAt(now):
		s.nextPublishedAt = time.Time{}
		s.next, err = p.generateCA(now)
		return s, "generated the next CA", err
	case s.next != nil:
		return p.advance(s, objects, now)
	case len(s.retiring) > 0 && p.isRetirementOver(s, now) && !objects.anyHolds(s.retiring):
		s.retiring = nil
		return s, "the last certificate of the previous CA has expired", nil
	case s.currentSignsSince.After(now.Add(p.skew)):
		s.currentSignsSince = now
		return s, "reset the signing start of the CA, which was in the future", nil
	}
	return s, "", nil
}

// advance returns the next step for the next CA: record that it is in every bundle, record that it is missing again, or
// make it the current CA.
func (p policy) advance(s state, objects caBundleObjects, now time.Time) (state, string, error) {
	trusted, _ := p.bundleContent(s, now)
	isPublished := objects.allHold(trusted)
	switch {
	case !isPublished && !s.nextPublishedAt.IsZero():
		s.nextPublishedAt = time.Time{}
		return s, "the next CA is missing in a bundle again", nil
	case isPublished && (s.nextPublishedAt.IsZero() || s.nextPublishedAt.After(now.Add(p.skew))):
		s.nextPublishedAt = now
		return s, "every bundle contains the next CA", nil
	case isPublished && (!now.Before(s.nextPublishedAt.Add(p.grace)) || s.current != nil && !s.current.isValidAt(now)):
		if s.current != nil {
			s.retiring = append(slices.Clone(s.retiring), s.current.certificate)
		}
		s.current = s.next
		s.currentSignsSince = now
		s.next = nil
		s.nextPublishedAt = time.Time{}
		return s, "the next CA became the current CA", nil
	}
	return s, "", nil
}

// logFields returns a state as key/value pairs for the log, with the time from which the next CA signs.
func (p policy) logFields(s state) []any {
	all := []any{"trusted", len(s.trusted()), "retiring", len(s.retiring)}
	if !s.nextPublishedAt.IsZero() {
		all = append(all, "nextSignsFrom", s.nextPublishedAt.Add(p.grace))
	}
	return all
}

func (p policy) generateCA(now time.Time) (*ca, error) {
	return newCA(commonName, now.Add(-p.skew), now.Add(p.caValidity))
}
