package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestBallastDelaysTheCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "") // so that it is restored
		_ = os.Unsetenv(name)
	}
	without := nextCollection()
	defer runtime.KeepAlive(ballast(filesBallast))
	if more := nextCollection() - without; more < 2*filesBallast*9/10 {
		t.Errorf("the ballast delays the collector by %d MiB", more>>20)
	}
}

func TestNoBallastIfTheCollectorIsConfigured(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "50")
			if got := ballast(1 << 20); got != nil {
				t.Errorf("the ballast has %d bytes", len(got))
			}
		})
	}
}

// nextCollection returns the size of the heap in bytes at which the garbage collector runs next.
func nextCollection() uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
