package certs

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Keys of the Secret. The first two are those of type kubernetes.io/tls. ca.crt has the certificates that clients
// should trust, so that clients of the metrics can mount the Secret.
const (
	keyCurrentCert = "tls.crt"
	keyCurrentKey  = "tls.key"
	keyNextCert    = "next.crt"
	keyNextKey     = "next.key"
	keyTrusted     = "ca.crt"
	keyPublished   = "published" // state.nextPublishedAt
	keyPromoted    = "promoted"  // state.currentSignsSince
)

// state is the content of the Secret.
type state struct {
	// current is the CA that signs.
	current *ca
	// next is the CA that will sign. Until then it is published in addition to the current CA.
	next *ca
	// retiring are earlier CAs, which have signed certificates that may still be in use.
	retiring []*x509.Certificate
	// nextPublishedAt is when the next CA was first seen in every bundle, zero before that.
	nextPublishedAt time.Time
	// currentSignsSince is when the current CA began to sign.
	currentSignsSince time.Time
}

// trusted returns the CAs that clients must trust: all that have signed certificates in use, or will sign soon.
func (s state) trusted() []*x509.Certificate {
	var all []*x509.Certificate
	for _, c := range []*ca{s.current, s.next} {
		if c != nil {
			all = append(all, c.certificate)
		}
	}
	return append(all, s.retiring...)
}

// isEmpty reports whether the Secret holds no CA, as when it is installed.
func (s state) isEmpty() bool { return s.current == nil && s.next == nil }

// parse decodes the data of the Secret. It returns an error for malformed data, because keys must not be guessed.
func parse(data map[string][]byte) (state, error) {
	var s state
	var err error
	if len(data[keyCurrentCert])+len(data[keyCurrentKey]) > 0 {
		if s.current, err = parseCA(data[keyCurrentCert], data[keyCurrentKey]); err != nil {
			return state{}, fmt.Errorf("%s and %s: %w", keyCurrentCert, keyCurrentKey, err)
		}
	}
	if len(data[keyNextCert])+len(data[keyNextKey]) > 0 {
		if s.next, err = parseCA(data[keyNextCert], data[keyNextKey]); err != nil {
			return state{}, fmt.Errorf("%s and %s: %w", keyNextCert, keyNextKey, err)
		}
	}
	for key, field := range map[string]*time.Time{keyPublished: &s.nextPublishedAt, keyPromoted: &s.currentSignsSince} {
		if len(data[key]) > 0 {
			if *field, err = time.Parse(time.RFC3339Nano, string(data[key])); err != nil {
				return state{}, fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	signingCAs := s.trusted()
	s.retiring = slices.DeleteFunc(parseBundle(data[keyTrusted]), func(c *x509.Certificate) bool {
		return holds(signingCAs, c)
	})
	return s, nil
}

// data returns the data of the Secret, with nil for each key to delete. The keys of type kubernetes.io/tls are always
// there, because the API server requires them.
func (s state) data() (map[string][]byte, error) {
	data := map[string][]byte{
		keyCurrentCert: {}, keyCurrentKey: {}, keyNextCert: nil, keyNextKey: nil, keyPublished: nil,
		keyPromoted: nil,
	}
	var err error
	if s.current != nil {
		if data[keyCurrentCert], data[keyCurrentKey], err = s.current.encode(); err != nil {
			return nil, err
		}
	}
	if s.next != nil {
		if data[keyNextCert], data[keyNextKey], err = s.next.encode(); err != nil {
			return nil, err
		}
	}
	data[keyTrusted] = encodeCertificates(s.trusted()...)
	for key, at := range map[string]time.Time{keyPublished: s.nextPublishedAt, keyPromoted: s.currentSignsSince} {
		if !at.IsZero() {
			data[key] = []byte(at.UTC().Format(time.RFC3339Nano))
		}
	}
	return data, nil
}

// haveSameData reports whether two Secrets have the same data. A missing key is the same as an empty one.
func haveSameData(a, b map[string][]byte) bool {
	withoutEmpty := func(data map[string][]byte) map[string][]byte {
		data = maps.Clone(data)
		maps.DeleteFunc(data, func(_ string, value []byte) bool { return len(value) == 0 })
		return data
	}
	return maps.EqualFunc(withoutEmpty(a), withoutEmpty(b), bytes.Equal)
}

// holds reports whether a list contains a certificate.
func holds(all []*x509.Certificate, c *x509.Certificate) bool {
	return slices.ContainsFunc(all, c.Equal)
}

// lacksAny reports whether a list lacks at least one of some certificates.
func lacksAny(all, certificates []*x509.Certificate) bool {
	return slices.ContainsFunc(certificates, func(c *x509.Certificate) bool { return !holds(all, c) })
}
