package certs

import (
	"crypto/x509"
	"maps"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestSecretContainsTheState(t *testing.T) {
	a := newTestCA(t, commonName, start, 365*day)
	b := newTestCA(t, commonName, start, 365*day)
	c := newTestCA(t, commonName, start, 365*day)
	tests := map[string]state{
		"an empty Secret": {},
		"one CA":          {current: a, currentSignsSince: start},
		"only a next CA":  {next: a, currentSignsSince: start},
		"a rotation":      {current: a, next: b, nextPublishedAt: start, currentSignsSince: start.Add(-day)},
		"two retiring CAs": {
			current:           c,
			retiring:          []*x509.Certificate{a.certificate, b.certificate},
			currentSignsSince: start,
		},
		"all fields": {
			current:           a,
			next:              b,
			retiring:          []*x509.Certificate{c.certificate},
			nextPublishedAt:   start,
			currentSignsSince: start,
		},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			data := must.Get(want.data())(t)
			got := must.Get(parse(data))(t)
			again := must.Get(got.data())(t)
			if !haveSameData(data, again) || !got.current.equals(want.current) || !got.next.equals(want.next) ||
				!got.nextPublishedAt.Equal(want.nextPublishedAt) || !got.currentSignsSince.Equal(want.currentSignsSince) ||
				len(got.retiring) != len(want.retiring) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestMalformedSecretIsAnError(t *testing.T) {
	a, b := newTestCA(t, commonName, start, 365*day), newTestCA(t, commonName, start, 365*day)
	good := must.Get(state{current: a, next: b, nextPublishedAt: start}.data())(t)
	other := must.Get(state{current: b}.data())(t)
	leaf := must.Get(a.sign(&x509.Certificate{PublicKey: b.key.Public()}, start, start.Add(day)))(t)
	tests := map[string]map[string][]byte{
		"a truncated certificate":        {keyCurrentCert: good[keyCurrentCert][:100]},
		"a truncated key":                {keyCurrentKey: good[keyCurrentKey][:100]},
		"a certificate without its key":  {keyCurrentKey: nil},
		"the key of another CA":          {keyCurrentKey: other[keyCurrentKey]},
		"a truncated next certificate":   {keyNextCert: good[keyNextCert][:100]},
		"an invalid time":                {keyPublished: []byte("yesterday")},
		"a certificate that is not a CA": {keyCurrentCert: encodeCertificates(leaf), keyCurrentKey: other[keyCurrentKey]},
	}
	for name, damaged := range tests {
		t.Run(name, func(t *testing.T) {
			data := maps.Clone(good)
			maps.Copy(data, damaged)
			if got, err := parse(data); err == nil || !got.isEmpty() {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestMissingEqualsEmpty(t *testing.T) {
	if !haveSameData(map[string][]byte{"a": {}, "b": {1}}, map[string][]byte{"b": {1}}) ||
		haveSameData(map[string][]byte{"b": {1}}, map[string][]byte{"b": {2}}) {
		t.Error("an empty key differs from a missing one, or different values are equal")
	}
	unsigned := state{next: newTestCA(t, commonName, start, day)}
	if unsigned.isEmpty() || !(state{}).isEmpty() {
		t.Error("a state with only a next CA must not be empty, and one without a CA must be")
	}
	if data, err := unsigned.data(); err != nil || data[keyPublished] != nil || data[keyPromoted] != nil {
		t.Errorf("zero times are written: %v, %v", data, err)
	}
}
