package certs

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"time"
)

// commonName of every CA that a [Shared] authority generates. It distinguishes them from the CAs of others in a bundle.
const commonName = "claimbridge shared CA"

func isOurs(c *x509.Certificate) bool { return c.Subject.CommonName == commonName }

// parseBundle returns the certificates of a bundle, without duplicates. Like TLS libraries, it ignores anything else.
// "Cg==", the placeholder in manifests, holds none.
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

// merge adds the trusted certificates to the certificates of a bundle. It reports whether the bundle must be written:
// only if a trusted certificate is missing, or if the bundle has a retired one. Bundles are compared by their
// certificates and not by their text, because each write of a CRD makes its API server rebuild the storage.
//
// A certificate is retired if it is in gone, or if it is a CA of a Shared authority that is not trusted. Certificates
// of others remain until they expire, so that an installation can change to another source of certificates and back:
// the CAs of both are trusted before they sign.
func merge(have, trusted, gone []*x509.Certificate, now time.Time) (merged []*x509.Certificate, changed bool) {
	retired := func(c *x509.Certificate) bool { return (isOurs(c) || holds(gone, c)) && !holds(trusted, c) }
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

// view has all objects with a bundle, as they were last read.
type view []*object

// unknown reports whether an object could not be read.
func (v view) unknown() bool {
	return slices.ContainsFunc(v, func(o *object) bool { return o.err != nil })
}

// blank reports whether no bundle holds a certificate that is still valid.
func (v view) blank(now time.Time) bool {
	return !slices.ContainsFunc(v.certificates(), func(c *x509.Certificate) bool { return now.Before(c.NotAfter) })
}

// unknownCAs returns the CAs of a Shared authority that are in a bundle, still valid, and not in the state.
func (v view) unknownCAs(s state, now time.Time) []*x509.Certificate {
	known := s.trusted()
	return slices.DeleteFunc(v.certificates(), func(c *x509.Certificate) bool {
		return !isOurs(c) || !now.Before(c.NotAfter) || holds(known, c)
	})
}

// allHold reports whether every bundle was seen to contain all of the certificates. A missing object has no bundles.
func (v view) allHold(certificates []*x509.Certificate) bool {
	return !v.unknown() && !slices.ContainsFunc(v, func(o *object) bool { return o.lacks(certificates) })
}

// anyHolds reports whether a bundle contains one of the certificates, or could not be read.
func (v view) anyHolds(certificates []*x509.Certificate) bool {
	return v.unknown() || slices.ContainsFunc(v.certificates(), func(c *x509.Certificate) bool {
		return holds(certificates, c)
	})
}

// certificates returns the certificates of all bundles, without duplicates.
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
