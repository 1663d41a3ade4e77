package certs

import (
	"errors"
	"testing"
	"time"
)

// A CA whose publication this replica did not see signs only if every bundle contains it, or if there is no other valid
// CA.
func TestACASignsOnlyOnceItIsTrusted(t *testing.T) {
	previous, next := newTestCA(t, commonName, start, 365*day), newTestCA(t, commonName, start, 365*day)
	both, old := newTestObject(previous.certificate, next.certificate), newTestObject(previous.certificate)
	tests := map[string]struct {
		signingCA, stored *ca
		objects           caBundleObjects
		now               time.Duration
		want              *ca
		isRead            bool // secretReadAt is set
	}{
		"a CA in every bundle": {
			signingCA: previous,
			stored:    next,
			objects:   caBundleObjects{both, both},
			now:       day,
			want:      next,
			isRead:    true,
		},
		"a CA missing from a bundle": {
			signingCA: previous,
			stored:    next,
			objects:   caBundleObjects{both, old},
			now:       day,
			want:      previous,
		},
		"a CA whose object is unreadable": {
			signingCA: previous,
			stored:    next,
			objects:   caBundleObjects{both, {err: errors.New("forbidden")}},
			now:       day,
			want:      previous,
		},
		"a CA missing from a bundle, after the previous CA expired": {
			signingCA: previous,
			stored:    next,
			objects:   caBundleObjects{both, old},
			now:       365 * day,
			want:      next,
			isRead:    true,
		},
		"the first CA, in no bundle": {
			stored:  next,
			objects: caBundleObjects{newTestObject()},
			now:     day,
			want:    next,
			isRead:  true,
		},
		"the previous CA, in no bundle": {
			signingCA: previous,
			stored:    previous,
			objects:   caBundleObjects{newTestObject()},
			now:       day,
			want:      previous,
			isRead:    true,
		},
		"no CA in the Secret": {
			signingCA: previous,
			objects:   caBundleObjects{both},
			now:       day,
			want:      previous,
		},
		"no CA in the Secret or in memory": {objects: caBundleObjects{both}, now: day},
		"the previous CA again": {
			signingCA: next,
			stored:    previous,
			objects:   caBundleObjects{old},
			now:       day,
			want:      previous,
			isRead:    true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			shared, _ := newTestShared(t)
			shared.objects, shared.signingCA = test.objects, test.signingCA
			notified := make(chan struct{}, 1)
			shared.WatchRotation(notified)
			shared.adopt(state{current: test.stored}, start.Add(test.now))
			if !shared.signingCA.equals(test.want) {
				t.Error("the wrong CA signs")
			}
			if isRead := !shared.secretReadAt.IsZero(); isRead != test.isRead {
				t.Errorf("secretReadAt is set: %v, want %v", isRead, test.isRead)
			}
			if got, want := len(notified) == 1, !test.want.equals(test.signingCA); got != want {
				t.Errorf("notified of a rotation: %v, want %v", got, want)
			}
		})
	}
}

// Only reading the current CA in the Secret extends the validity of certificates.
func TestOnlyTheCAThatSignsIsConfirmed(t *testing.T) {
	one, other := newTestCA(t, commonName, start, 365*day), newTestCA(t, commonName, start, 365*day)
	for name, test := range map[string]struct {
		signingCA, current *ca
		want               bool
	}{
		"the Secret has the signing CA":          {one, one, true},
		"the Secret has another CA":              {one, other, false},
		"the Secret has no CA":                   {one, nil, false},
		"neither the Secret nor memory has a CA": {nil, nil, false},
		"the Secret has the first CA":            {nil, one, false},
	} {
		t.Run(name, func(t *testing.T) {
			shared, _ := newTestShared(t)
			shared.signingCA = test.signingCA
			shared.confirm(state{current: test.current}, start)
			if shared.secretReadAt.IsZero() == test.want {
				t.Errorf("confirmed: %v", !test.want)
			}
		})
	}
}
