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
	foreign := newTestCA(t, "another issuer", start, 365*day)
	expired := newTestCA(t, "another issuer", start.Add(-2*day), day)
	formerCA := newTestCA(t, "another issuer", start, 365*day) // retired, from another source of certificates
	retiredCAs := []*x509.Certificate{formerCA.certificate}
	trusted := []*x509.Certificate{current.certificate, next.certificate}
	for name, test := range map[string]struct {
		bundle, want []*ca // nil if it is unchanged
	}{
		"every trusted CA is added to an empty bundle":    {nil, []*ca{current, next}},
		"a missing trusted CA is added":                   {[]*ca{current}, []*ca{current, next}},
		"a complete bundle in another order is unchanged": {[]*ca{next, current}, nil},
		"a bundle with an additional CA is unchanged":     {[]*ca{current, next, foreign}, nil},
		"a bundle with an expired CA is unchanged":        {[]*ca{current, next, expired}, nil},
		"a valid foreign CA remains in a changed bundle":  {[]*ca{foreign}, []*ca{current, next, foreign}},
		"an expired CA is removed from a changed bundle":  {[]*ca{expired, current}, []*ca{current, next}},
		"a retired claimbridge CA is removed": {
			[]*ca{current, next, retired, foreign}, []*ca{current, next, foreign},
		},
		"a retired CA of another source is removed": {[]*ca{current, next, formerCA}, []*ca{current, next}},
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
			t.Errorf("%s: the merged bundle is not final", name)
		}
	}
}

// A bundle consists of its certificates, without duplicates. Keys and other text are ignored.
func TestParseBundleReturnsItsCertificates(t *testing.T) {
	one := newTestCA(t, commonName, start, day)
	certificate, key := must.Get2(one.encode())(t)
	otherType := pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: one.certificate.Raw})
	truncated := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.certificate.Raw[:100]})
	for name, test := range map[string]struct {
		bundle []byte
		want   int
	}{
		"a duplicate, and a comment": {slices.Concat([]byte("# ours\n"), certificate, certificate), 1},
		"a key":                      {slices.Concat(key, certificate), 1},
		"another block type":         {otherType, 0},
		"a truncated certificate":    {slices.Concat(truncated, certificate), 1},
		"white space":                {[]byte("\n"), 0},
	} {
		if got := parseBundle(test.bundle); len(got) != test.want {
			t.Errorf("%s: %d certificates", name, len(got))
		}
	}
}
