package authority

import (
	"bytes"
	"crypto/x509"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	current, next, retired := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	foreign, expired := made(t, "of somebody else", start, 365*day), made(t, "of the past", start.Add(-2*day), day)
	pem := func(all ...*ca) []byte {
		var certificates []*x509.Certificate
		for _, c := range all {
			certificates = append(certificates, c.certificate)
		}
		return encode(certificates...)
	}
	taken := made(t, "of somebody else", start, 365*day) // from another way of certificates, and retired by now
	gone := []*x509.Certificate{taken.certificate}
	trusted := []*x509.Certificate{current.certificate, next.certificate}
	tests := map[string]struct {
		bundle  []byte
		want    []byte
		changed bool
	}{
		"an empty bundle is filled":                        {nil, pem(current, next), true},
		"a blank bundle is filled":                         {[]byte("\n"), pem(current, next), true},
		"what is missing is added":                         {pem(current), pem(current, next), true},
		"the same in another order is left alone":          {pem(next, current), pem(next, current), false},
		"words between certificates are left alone":        {append([]byte("# ours\n"), pem(current, next)...), append([]byte("# ours\n"), pem(current, next)...), false},
		"a foreign CA alone is no reason to write":         {pem(current, next, foreign), pem(current, next, foreign), false},
		"an expired foreign CA alone is no reason":         {pem(current, next, expired), pem(current, next, expired), false},
		"a foreign CA stays when the bundle is written":    {pem(foreign), pem(current, next, foreign), true},
		"an expired one goes when the bundle is written":   {pem(expired, current), pem(current, next), true},
		"one of ours that has retired goes":                {pem(current, next, retired, foreign), pem(current, next, foreign), true},
		"one that we took over goes when it has retired":   {pem(current, next, taken), pem(current, next), true},
		"half of a certificate goes when it is written":    {pem(foreign)[:200], pem(current, next), true},
		"a certificate that stands twice is left as it is": {pem(current, next, next), pem(current, next, next), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, changed := merge(test.bundle, trusted, gone, start)
			if !bytes.Equal(got, test.want) || changed != test.changed {
				t.Errorf("changed %v, want %v\n%s", changed, test.changed, cmp.Diff(string(test.want), string(got)))
			}
			if again, changed := merge(got, trusted, gone, start); changed || !bytes.Equal(again, got) {
				t.Error("is written a second time")
			}
		})
	}
}
