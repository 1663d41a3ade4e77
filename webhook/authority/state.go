package authority

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Keys of the Secret. The first two are those of type kubernetes.io/tls; ca.crt is what callers should trust, so that
// the Secret can also be mounted by whoever reads metrics.
const (
	keyCurrentCert = "tls.crt"
	keyCurrentKey  = "tls.key"
	keyNextCert    = "next.crt"
	keyNextKey     = "next.key"
	keyTrusted     = "ca.crt"
	keyPublished   = "published"
	keyPromoted    = "promoted"
)

// state is what the Secret says.
type state struct {
	// current signs.
	current *ca
	// next will sign. It is published beside the current one until then.
	next *ca
	// retiring have signed leaves that may still be served.
	retiring []*x509.Certificate
	// published is when the next one was first seen in every bundle, zero before that.
	published time.Time
	// promoted is when the current one began to sign.
	promoted time.Time
}

// trusted by callers: all that leaves may be signed with, now or soon.
func (s state) trusted() []*x509.Certificate {
	var all []*x509.Certificate
	for _, c := range []*ca{s.current, s.next} {
		if c != nil {
			all = append(all, c.certificate)
		}
	}
	return append(all, s.retiring...)
}

// empty as the Secret is shipped.
func (s state) empty() bool { return s.current == nil && s.next == nil }

// parse the data of the Secret. What does not make sense is an error: nobody guesses about keys.
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
	for key, field := range map[string]*time.Time{keyPublished: &s.published, keyPromoted: &s.promoted} {
		if len(data[key]) > 0 {
			if *field, err = time.Parse(time.RFC3339Nano, string(data[key])); err != nil {
				return state{}, fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	signing := s.trusted()
	s.retiring = slices.DeleteFunc(parseBundle(data[keyTrusted]), func(c *x509.Certificate) bool {
		return holds(signing, c)
	})
	return s, nil
}

// data for the Secret, nil for a key that is to go. The keys of type kubernetes.io/tls are always
// there, as the API server wants them.
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
	data[keyTrusted] = encode(s.trusted()...)
	for key, at := range map[string]time.Time{keyPublished: s.published, keyPromoted: s.promoted} {
		if !at.IsZero() {
			data[key] = []byte(at.UTC().Format(time.RFC3339Nano))
		}
	}
	return data, nil
}

// same content of a Secret; missing and empty are the same.
func same(a, b map[string][]byte) bool {
	filled := func(data map[string][]byte) map[string][]byte {
		data = maps.Clone(data)
		maps.DeleteFunc(data, func(_ string, value []byte) bool { return len(value) == 0 })
		return data
	}
	return maps.EqualFunc(filled(a), filled(b), bytes.Equal)
}

// holds reports whether a certificate is among others.
func holds(all []*x509.Certificate, one *x509.Certificate) bool {
	return slices.ContainsFunc(all, one.Equal)
}

// lack reports whether one of some certificates is not among others.
func lack(all, some []*x509.Certificate) bool {
	return slices.ContainsFunc(some, func(c *x509.Certificate) bool { return !holds(all, c) })
}
