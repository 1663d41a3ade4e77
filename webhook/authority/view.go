package authority

import (
	"crypto/x509"
	"slices"
	"time"
)

// view of what callers trust: all objects with a bundle, as they were last read.
type view []*object

// unknown reports whether an object could not be read.
func (v view) unknown() bool {
	return slices.ContainsFunc(v, func(o *object) bool { return o.err != nil })
}

// blank reports whether no bundle holds a certificate that callers would accept.
func (v view) blank(now time.Time) bool {
	return !v.any(func(c *x509.Certificate) bool { return now.Before(c.NotAfter) })
}

// strangers are CAs of ours that the state does not know and that callers still accept.
func (v view) strangers(s state, now time.Time) []*x509.Certificate {
	var all []*x509.Certificate
	known := s.trusted()
	v.any(func(c *x509.Certificate) bool {
		if ours(c) && now.Before(c.NotAfter) && !holds(known, c) && !holds(all, c) {
			all = append(all, c)
		}
		return false
	})
	return all
}

// allHold reports whether every bundle was seen to hold certificates. An object that is not there has none to lack.
func (v view) allHold(certificates []*x509.Certificate) bool {
	return !v.unknown() && !slices.ContainsFunc(v, func(o *object) bool { return o.lacks(certificates) })
}

// anyHolds reports whether any of some certificates is still in a bundle, as far as is known.
func (v view) anyHolds(certificates []*x509.Certificate) bool {
	return v.unknown() || v.any(func(c *x509.Certificate) bool { return holds(certificates, c) })
}

func (v view) any(which func(*x509.Certificate) bool) bool {
	for _, o := range v {
		for _, b := range o.bundles {
			if slices.ContainsFunc(parseBundle(b.pem), which) {
				return true
			}
		}
	}
	return false
}
