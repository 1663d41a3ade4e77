package authority

import (
	"crypto/x509"
	"errors"
	"slices"
	"time"
)

// policy of times. All of them follow from the two validities, see [Config].
type policy struct {
	ca, leaf    time.Duration
	grace, skew time.Duration
}

const (
	// maxGrace between the moment when every bundle was seen to hold a CA and its first signature: an API server hears
	// of a change within a second; one whose watch broke lists again after a back-off of at most 30 s, and may be in
	// the middle of that twice.
	maxGrace = 2 * time.Minute
	// maxInterval is how often the Secret and the bundles are looked at, as cert-manager's own authority does.
	maxInterval = 10 * time.Second
)

func newPolicy(ca, leaf time.Duration) policy {
	return policy{ca, leaf, min(maxGrace, leaf/4), min(clockSkew, leaf/10)}
}

func (p policy) interval() time.Duration { return min(maxInterval, p.leaf/10) }

// due reports whether a CA should be replaced: after two thirds of its life, as cert-manager does,
// so that a third is left for things to be put right in, or at once when callers do not accept it.
func (p policy) due(c *ca, now time.Time) bool {
	lifetime := c.certificate.NotAfter.Sub(c.certificate.NotBefore)
	return !c.lives(now) || now.After(c.certificate.NotAfter.Add(-lifetime/3))
}

// retired reports whether no leaf of the CAs before the current one can be left.
func (p policy) retired(s state, now time.Time) bool {
	return !now.Before(s.promoted.Add(p.leaf + p.skew))
}

// published is what every bundle should hold, and what none should any more.
func (p policy) published(s state, now time.Time) (trusted, gone []*x509.Certificate) {
	if p.retired(s, now) {
		gone, s.retiring = s.retiring, nil
	}
	return s.trusted(), gone
}

// plan is the next state, at most one step away, and what happened, nothing if there is nothing to do. It is all that
// replicas need to agree on.
//
//	empty ──> current                                 nobody trusts anything yet
//	empty ──> next                                    somebody does: be trusted first
//	current ──> current+next ──> seen everywhere ──> next is current, the old one retires ──> it is gone
func (p policy) plan(s state, v view, now time.Time) (state, string, error) {
	unknownCAs := v.unknownCAs(s, now)
	switch {
	case s.empty() && v.unknown():
		return s, "", errors.New("make a CA: what callers trust now is not known")
	case s.empty() && v.blank(now):
		s.promoted = now
		return s, "made the first CA", p.make(&s.current, now)
	case s.empty():
		s.retiring, s.promoted = unknownCAs, now
		return s, "made a CA, to be trusted beside what is trusted now", p.make(&s.next, now)
	case len(unknownCAs) > 0:
		// One of ours that the Secret does not know: it was restored from a copy, or somebody
		// emptied it. Leaves of this one may be served for as long as if it had been replaced just
		// now.
		s.retiring, s.promoted = append(slices.Clone(s.retiring), unknownCAs...), now
		return s, "found a CA of ours that the Secret does not know in a bundle", nil
	case s.next == nil && p.due(s.current, now), s.next != nil && !s.next.lives(now):
		s.published = time.Time{}
		return s, "made the next CA", p.make(&s.next, now)
	case s.next != nil:
		return p.advance(s, v, now)
	case len(s.retiring) > 0 && p.retired(s, now) && !v.anyHolds(s.retiring):
		s.retiring = nil
		return s, "the last leaf of the CA before has expired", nil
	case s.promoted.After(now.Add(p.skew)):
		s.promoted = now
		return s, "the CA signs since a moment that is still to come: took it for now", nil
	}
	return s, "", nil
}

// advance the next CA: it was seen everywhere, or not any more, or may sign.
func (p policy) advance(s state, v view, now time.Time) (state, string, error) {
	trusted, _ := p.published(s, now)
	everywhere := v.allHold(trusted)
	switch {
	case !everywhere && !s.published.IsZero():
		s.published = time.Time{}
		return s, "the next CA is missing in a bundle again", nil
	case everywhere && (s.published.IsZero() || s.published.After(now.Add(p.skew))):
		s.published = now
		return s, "every bundle holds the next CA", nil
	case everywhere && (!now.Before(s.published.Add(p.grace)) || s.current != nil && !s.current.lives(now)):
		if s.current != nil {
			s.retiring = append(slices.Clone(s.retiring), s.current.certificate)
		}
		s.current, s.next, s.published, s.promoted = s.next, nil, time.Time{}, now
		return s, "the next CA signs now", nil
	}
	return s, "", nil
}

// account of a state for the log. Who waits for the next CA, as the first one after a loss, learns until when.
func (p policy) account(s state) []any {
	all := []any{"trusted", len(s.trusted()), "retiring", len(s.retiring)}
	if !s.published.IsZero() {
		all = append(all, "nextSignsFrom", s.published.Add(p.grace))
	}
	return all
}

func (p policy) make(into **ca, now time.Time) error {
	made, err := newCA(commonName, now.Add(-p.skew), now.Add(p.ca))
	*into = made
	return err
}
