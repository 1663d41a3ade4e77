package certs

import (
	"errors"
	"testing"
	"time"
)

// A CA whose publication this replica did not see signs only if every bundle contains it, or if there is no other valid
// CA.
func TestACASignsOnlyOnceItIsTrusted(t *testing.T) {
	before, next := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	both, old := seen(before.certificate, next.certificate), seen(before.certificate)
	tests := map[string]struct {
		signing, said *ca
		objects       caBundleObjects
		now           time.Duration
		want          *ca
		heard         bool // the Secret counts as read now
	}{
		"one that every bundle holds": {before, next, caBundleObjects{both, both}, day, next, true},
		"one that a bundle lacks":     {before, next, caBundleObjects{both, old}, day, before, false},
		"one that cannot be seen in an object": {
			before,
			next,
			caBundleObjects{both, {err: errors.New("forbidden")}},
			day,
			before,
			false,
		},
		"one that a bundle lacks, at last":      {before, next, caBundleObjects{both, old}, 365 * day, next, true},
		"the first, though no bundle holds it":  {nil, next, caBundleObjects{seen()}, day, next, true},
		"the same as before, though one lacks":  {before, before, caBundleObjects{seen()}, day, before, true},
		"none, when the Secret says none":       {before, nil, caBundleObjects{both}, day, before, false},
		"none, when the Secret never said any":  {nil, nil, caBundleObjects{both}, day, nil, false},
		"one that is read again as another one": {next, before, caBundleObjects{old}, day, before, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			shared, _ := sharedWith(t)
			shared.objects, shared.signing = test.objects, test.signing
			notified := make(chan struct{}, 1)
			shared.WatchRotation(notified)
			shared.adopt(state{current: test.said}, start.Add(test.now))
			if !shared.signing.equals(test.want) {
				t.Error("another CA signs")
			}
			if heard := !shared.read.IsZero(); heard != test.heard {
				t.Errorf("counts as read: %v, want %v", heard, test.heard)
			}
			if got, want := len(notified) == 1, !test.want.equals(test.signing); got != want {
				t.Errorf("notified of a rotation: %v, want %v", got, want)
			}
		})
	}
}

// Only reading the current CA in the Secret extends the validity of certificates.
func TestOnlyTheCAThatSignsIsConfirmed(t *testing.T) {
	one, other := made(t, commonName, start, 365*day), made(t, commonName, start, 365*day)
	for name, test := range map[string]struct {
		signing, said *ca
		want          bool
	}{
		"the same":      {one, one, true},
		"another":       {one, other, false},
		"none any more": {one, nil, false},
		"none at all":   {nil, nil, false},
		"the first":     {nil, one, false},
	} {
		t.Run(name, func(t *testing.T) {
			shared, _ := sharedWith(t)
			shared.signing = test.signing
			if shared.confirm(state{current: test.said}, start); shared.read.IsZero() == test.want {
				t.Errorf("confirmed: %v", !test.want)
			}
		})
	}
}
