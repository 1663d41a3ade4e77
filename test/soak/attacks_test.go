//go:build e2e

package soak

import (
	"maps"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// maxMemory is the memory limit of the server for one request. The processor time is only printed, because it depends
// on the machine and its load.
const maxMemory = 300 << 20

// TestOneRequestIsLimited sends each attack alone to a new server.
func TestOneRequestIsLimited(t *testing.T) {
	all := attack.Conversions()
	maps.Copy(all, attack.Writes())
	for name, a := range all {
		t.Run(name, func(t *testing.T) {
			s := startServer(t)
			before, _ := s.processorTime()
			got, err := s.send(s.client(), a)
			if err != nil {
				t.Fatalf("no response: %v", err)
			}
			after, _ := s.processorTime()
			peak := must.Get(s.peak())(t)
			t.Logf("%d MB and %s for %d MB: %d %.250s", peak/1e6, after-before, len(a.Body)/1e6, got.code, got.text)
			if peak > maxMemory {
				t.Errorf("%d MB of memory for a body of %d", peak/1e6, len(a.Body))
			}
		})
	}
}

// TestEightConcurrentRequestsAreLimited sends each attack eight times concurrently, one attack after the other.
func TestEightConcurrentRequestsAreLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	all := attack.Conversions()
	maps.Copy(all, attack.Writes())
	s := startServer(t)
	for name, a := range all {
		t.Run(name, func(t *testing.T) {
			var callers sync.WaitGroup
			for range 8 {
				callers.Go(func() { _, _ = s.send(s.client(), a) })
			}
			callers.Wait()
			if s.hasExited() {
				t.Fatal("the server has exited")
			}
			if peak, err := s.peak(); err != nil || peak > memoryLimit {
				t.Errorf("%d MB, %v", peak/1e6, err)
			}
		})
	}
}
