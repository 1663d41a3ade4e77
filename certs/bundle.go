package certs

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"time"
)

// commonName of every CA that a [Shared] authority generates. It distinguishes them from the CAs of others in a bundle.
const commonName = "claimbridge shared CA"

func isSharedCA(c *x509.Certificate) bool { return c.Subject.CommonName == commonName }

// parseBundle returns the certificates of a bundle, without duplicates. Like TLS libraries, it ignores anything else.
// A bundle of white space ("Cg==", a common placeholder in manifests of other projects) has none.
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

// merge adds the trusted certificates to those of a bundle, and removes retired and expired ones. It reports whether
// the bundle must be written: only if a trusted certificate is missing, or if the bundle has a retired one. Bundles are
// compared by their certificates and not by their text, because each write of a CRD makes its API server rebuild the
// storage.
//
// A certificate is retired if it is in that list, or if it is a CA of a Shared authority that is not trusted. Other
// certificates remain until they expire, so that an installation can change to another source of certificates and back:
// the CAs of both are trusted before they sign.
func merge(current, trusted, retired []*x509.Certificate, now time.Time) (merged []*x509.Certificate, changed bool) {
	isRetired := func(c *x509.Certificate) bool {
		return (isSharedCA(c) || holds(retired, c)) && !holds(trusted, c)
	}
	if !lacksAny(current, trusted) && !slices.ContainsFunc(current, isRetired) {
		return current, false
	}
	merged = slices.Clone(trusted)
	for _, c := range current {
		if !holds(merged, c) && !isRetired(c) && now.Before(c.NotAfter) {
			merged = append(merged, c)
		}
	}
	return merged, true
}

// caBundleObjects are all objects with a caBundle, as they were last read.
type caBundleObjects []*caBundleObject

// hasUnreadable reports whether an object could not be read.
func (objects caBundleObjects) hasUnreadable() bool {
	return slices.ContainsFunc(objects, func(o *caBundleObject) bool { return o.err != nil })
}

// hasNoValidCertificate reports whether no bundle holds a certificate that is still valid.
func (objects caBundleObjects) hasNoValidCertificate(now time.Time) bool {
	isValid := func(c *x509.Certificate) bool { return now.Before(c.NotAfter) }
	return !slices.ContainsFunc(objects.certificates(), isValid)
}

// unknownCAs returns the CAs of a Shared authority that are in a bundle, still valid, and not in the state.
func (objects caBundleObjects) unknownCAs(s state, now time.Time) []*x509.Certificate {
	known := s.trusted()
	return slices.DeleteFunc(objects.certificates(), func(c *x509.Certificate) bool {
		return !isSharedCA(c) || !now.Before(c.NotAfter) || holds(known, c)
	})
}

// allHold reports whether every bundle was seen to contain all of the certificates. A missing object has no bundles.
func (objects caBundleObjects) allHold(certificates []*x509.Certificate) bool {
	lacksOne := func(o *caBundleObject) bool { return o.lacks(certificates) }
	return !objects.hasUnreadable() && !slices.ContainsFunc(objects, lacksOne)
}

// anyHolds reports whether a bundle contains one of the certificates, or could not be read.
func (objects caBundleObjects) anyHolds(certificates []*x509.Certificate) bool {
	return objects.hasUnreadable() || slices.ContainsFunc(objects.certificates(), func(c *x509.Certificate) bool {
		return holds(certificates, c)
	})
}

// certificates returns the certificates of all bundles, without duplicates.
func (objects caBundleObjects) certificates() (all []*x509.Certificate) {
	for _, o := range objects {
		for _, b := range o.bundles {
			all = append(all, slices.DeleteFunc(slices.Clone(b.certificates), func(c *x509.Certificate) bool {
				return holds(all, c)
			})...)
		}
	}
	return all
}
