//go:build e2e

package soak

import (
	"maps"
	"sync"
	"testing"

	"github.com/claimbridge/claimbridge/test/soak/attack"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// oneRequestMemoryLimit is the limit for the memory of the server during one request. The processor time is only
// printed, because it depends on the machine and its load.
const oneRequestMemoryLimit = 300 << 20

// TestOneRequestIsLimited sends each attack alone to a new server.
func TestOneRequestIsLimited(t *testing.T) {
	attacks := attack.Conversions()
	maps.Copy(attacks, attack.Writes())
	for name, request := range attacks {
		t.Run(name, func(t *testing.T) {
			s := startServer(t)
			before, _ := s.processorTime()
			got, err := s.send(s.client(), request)
			if err != nil {
				t.Fatalf("no response: %v", err)
			}
			after, _ := s.processorTime()
			peak := must.Get(s.peakMemory())(t)
			t.Logf("%d MB and %s for %d MB: %d %.250s", peak/1e6, after-before, len(request.Body)/1e6, got.code, got.text)
			checkPeakMemory(t, peak, oneRequestMemoryLimit)
		})
	}
}

// TestEightConcurrentRequestsAreLimited sends each attack eight times concurrently, one attack after the other.
func TestEightConcurrentRequestsAreLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	attacks := attack.Conversions()
	maps.Copy(attacks, attack.Writes())
	s := startServer(t)
	for name, request := range attacks {
		t.Run(name, func(t *testing.T) {
			var clients sync.WaitGroup
			for range 8 {
				clients.Go(func() { _, _ = s.send(s.client(), request) })
			}
			clients.Wait()
			if s.hasExited() {
				t.Fatal("the server has exited")
			}
			checkPeakMemory(t, must.Get(s.peakMemory())(t), memoryLimit)
		})
	}
}
