package certs

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestMerge(t *testing.T) {
	current := newTestCA(t, commonName, start, 365*day)
	next := newTestCA(t, commonName, start, 365*day)
	retired := newTestCA(t, commonName, start, 365*day)
	foreign := newTestCA(t, "of another issuer", start, 365*day)
	expired := newTestCA(t, "of the past", start.Add(-2*day), day)
	formerCA := newTestCA(t, "of another issuer", start, 365*day) // from another source of certificates, and retired
	retiredCAs := []*x509.Certificate{formerCA.certificate}
	trusted := []*x509.Certificate{current.certificate, next.certificate}
	for name, test := range map[string]struct {
		bundle, want []*ca // nil if it is unchanged
	}{
		"an empty bundle is filled":                     {nil, []*ca{current, next}},
		"what is missing is added":                      {[]*ca{current}, []*ca{current, next}},
		"the same in another order is left alone":       {[]*ca{next, current}, nil},
		"a foreign CA alone is no reason to write":      {[]*ca{current, next, foreign}, nil},
		"an expired foreign CA alone is no reason":      {[]*ca{current, next, expired}, nil},
		"a foreign CA stays when the bundle is written": {[]*ca{foreign}, []*ca{current, next, foreign}},
		"an expired one goes then":                      {[]*ca{expired, current}, []*ca{current, next}},
		"a retired claimbridge CA is removed": {
			[]*ca{current, next, retired, foreign}, []*ca{current, next, foreign},
		},
		"one that we took over goes as well": {[]*ca{current, next, formerCA}, []*ca{current, next}},
	} {
		var bundle, want []*x509.Certificate
		for _, c := range test.bundle {
			bundle = append(bundle, c.certificate)
		}
		for _, c := range test.want {
			want = append(want, c.certificate)
		}
		got, changed := merge(bundle, trusted, retiredCAs, start)
		if changed != (want != nil) || changed && !slices.Equal(got, want) {
			t.Errorf("%s: changed %v, to %d certificates", name, changed, len(got))
		}
		if _, changed := merge(got, trusted, retiredCAs, start); changed {
			t.Errorf("%s: it is written a second time", name)
		}
	}
}

// A bundle consists of its certificates, without duplicates. Keys and other text are ignored.
func TestParseBundleReturnsItsCertificates(t *testing.T) {
	one := newTestCA(t, commonName, start, day)
	certificate, key := must.Get2(one.encode())(t)
	disguised := pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: one.certificate.Raw})
	half := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.certificate.Raw[:100]})
	for name, test := range map[string]struct {
		bundle []byte
		want   int
	}{
		"one twice, with words": {slices.Concat([]byte("# ours\n"), certificate, certificate), 1},
		"a key before":          {slices.Concat(key, certificate), 1},
		"of another kind":       {disguised, 0},
		"half of one":           {slices.Concat(half, certificate), 1},
		"nothing":               {[]byte("\n"), 0},
	} {
		if got := parseBundle(test.bundle); len(got) != test.want {
			t.Errorf("%s: %d certificates", name, len(got))
		}
	}
}
