package authority

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"time"
)

// commonName of every CA that a [Shared] authority makes, by which it knows its own in a bundle.
const commonName = "claimbridge shared CA"

func ours(c *x509.Certificate) bool { return c.Subject.CommonName == commonName }

// parseBundle gives the certificates of a bundle. Anything else in it is passed over, as TLS
// libraries do: "Cg==", which manifests have where a CA is still to come, holds none.
func parseBundle(bundle []byte) []*x509.Certificate {
	var all []*x509.Certificate
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && !holds(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// merge what has to be trusted into what a bundle has. It reports whether the bundle needs to be
// written: only when something is missing, or when one of ours has retired. Bundles are compared by
// their certificates, for writing the one of a CRD makes its API server build all storage of the
// CRD again.
//
// What has retired is named, or is one of ours that is not trusted. What others have put in stays until it expires, so
// that one can move to another way of certificates and back: the CA of either is trusted before it signs.
func merge(have, trusted, gone []*x509.Certificate, now time.Time) (merged []*x509.Certificate, changed bool) {
	retired := func(c *x509.Certificate) bool { return (ours(c) || holds(gone, c)) && !holds(trusted, c) }
	if !lack(have, trusted) && !slices.ContainsFunc(have, retired) {
		return have, false
	}
	merged = slices.Clone(trusted)
	for _, c := range have {
		if !holds(merged, c) && !retired(c) && now.Before(c.NotAfter) {
			merged = append(merged, c)
		}
	}
	return merged, true
}

// view of what callers trust: all objects with a bundle, as they were last read.
type view []*object

// unknown reports whether an object could not be read.
func (v view) unknown() bool {
	return slices.ContainsFunc(v, func(o *object) bool { return o.err != nil })
}

// blank reports whether no bundle holds a certificate that callers would accept.
func (v view) blank(now time.Time) bool {
	return !slices.ContainsFunc(v.certificates(), func(c *x509.Certificate) bool { return now.Before(c.NotAfter) })
}

// unknownCAs are CAs of ours that the state does not know and that callers still accept.
func (v view) unknownCAs(s state, now time.Time) []*x509.Certificate {
	known := s.trusted()
	return slices.DeleteFunc(v.certificates(), func(c *x509.Certificate) bool {
		return !ours(c) || !now.Before(c.NotAfter) || holds(known, c)
	})
}

// allHold reports whether every bundle was seen to hold certificates. An object that is not there has none to lack.
func (v view) allHold(certificates []*x509.Certificate) bool {
	return !v.unknown() && !slices.ContainsFunc(v, func(o *object) bool { return o.lacks(certificates) })
}

// anyHolds reports whether any of some certificates is still in a bundle, as far as is known.
func (v view) anyHolds(certificates []*x509.Certificate) bool {
	return v.unknown() || slices.ContainsFunc(v.certificates(), func(c *x509.Certificate) bool {
		return holds(certificates, c)
	})
}

// certificates of all bundles, each once.
func (v view) certificates() (all []*x509.Certificate) {
	for _, o := range v {
		for _, b := range o.bundles {
			all = append(all, slices.DeleteFunc(slices.Clone(b.has), func(c *x509.Certificate) bool {
				return holds(all, c)
			})...)
		}
	}
	return all
}
