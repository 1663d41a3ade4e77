//go:build e2e

package soak

import (
	"maps"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// mostMemory is as far as one request takes the server. The processor time is printed, and not
// asserted: it depends on the machine and on what else runs there.
const mostMemory = 300 << 20

// TestOneRequestIsLimited: each attack alone, against a server that has done nothing yet.
func TestOneRequestIsLimited(t *testing.T) {
	all := attack.Conversions()
	maps.Copy(all, attack.Writes())
	for name, a := range all {
		t.Run(name, func(t *testing.T) {
			s := started(t)
			before, _ := s.processor()
			got, err := s.send(s.client(), a)
			if err != nil {
				t.Fatalf("not answered: %v", err)
			}
			after, _ := s.processor()
			peak := must.Get(s.peak())(t)
			t.Logf("%d MB and %s for %d MB: %d %.250s", peak/1e6, after-before, len(a.Body)/1e6, got.code, got.text)
			if peak > mostMemory {
				t.Errorf("%d MB of memory for a body of %d", peak/1e6, len(a.Body))
			}
		})
	}
}

// TestEightConcurrentRequestsSucceed: of each kind, one kind after the other.
func TestEightConcurrentRequestsSucceed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	all := attack.Conversions()
	maps.Copy(all, attack.Writes())
	s := started(t)
	for name, a := range all {
		t.Run(name, func(t *testing.T) {
			var callers sync.WaitGroup
			for range 8 {
				callers.Go(func() { _, _ = s.send(s.client(), a) })
			}
			callers.Wait()
			if s.gone() {
				t.Fatal("the server is gone")
			}
			if peak, err := s.peak(); err != nil || peak > memoryLimit {
				t.Errorf("%d MB, %v", peak/1e6, err)
			}
		})
	}
}
