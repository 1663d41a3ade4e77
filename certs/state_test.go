package certs

import (
	"crypto/x509"
	"maps"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestSecretContainsTheState(t *testing.T) {
	a := made(t, commonName, start, 365*day)
	b := made(t, commonName, start, 365*day)
	c := made(t, commonName, start, 365*day)
	tests := map[string]state{
		"as it is shipped":      {},
		"quiet":                 {current: a, currentSignsSince: start},
		"a first CA that waits": {next: a, currentSignsSince: start},
		"in the middle":         {current: a, next: b, nextPublishedAt: start, currentSignsSince: start.Add(-day)},
		"with two that retire": {
			current:           c,
			retiring:          []*x509.Certificate{a.certificate, b.certificate},
			currentSignsSince: start,
		},
		"all of it at the moment": {
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
	a, b := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	good := must.Get(state{current: a, next: b, nextPublishedAt: start}.data())(t)
	other := must.Get(state{current: b}.data())(t)
	leaf := must.Get(a.sign(&x509.Certificate{PublicKey: b.key.Public()}, start, start.Add(day)))(t)
	tests := map[string]map[string][]byte{
		"half of a certificate":          {keyCurrentCert: good[keyCurrentCert][:100]},
		"half of a key":                  {keyCurrentKey: good[keyCurrentKey][:100]},
		"a certificate without its key":  {keyCurrentKey: nil},
		"the key of another":             {keyCurrentKey: other[keyCurrentKey]},
		"half of the next":               {keyNextCert: good[keyNextCert][:100]},
		"a time that is none":            {keyPublished: []byte("yesterday")},
		"a certificate that is not a CA": {keyCurrentCert: encode(leaf), keyCurrentKey: other[keyCurrentKey]},
	}
	for name, damaged := range tests {
		t.Run(name, func(t *testing.T) {
			data := maps.Clone(good)
			maps.Copy(data, damaged)
			if got, err := parse(data); err == nil || !got.empty() {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestMissingEqualsEmpty(t *testing.T) {
	if !haveSameData(map[string][]byte{"a": {}, "b": {1}}, map[string][]byte{"b": {1}}) ||
		haveSameData(map[string][]byte{"b": {1}}, map[string][]byte{"b": {2}}) {
		t.Error("what is in a Secret is not what is compared")
	}
	waits := state{next: made(t, commonName, start, day)}
	if waits.empty() || !(state{}).empty() {
		t.Error("a CA that waits is one")
	}
	if data, err := waits.data(); err != nil || data[keyPublished] != nil || data[keyPromoted] != nil {
		t.Errorf("a moment that never was is written: %v, %v", data, err)
	}
}
