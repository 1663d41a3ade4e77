package main

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
	without := collectedAt()
	defer runtime.KeepAlive(ballast(garbageOfFiles))
	if more := collectedAt() - without; more < 2*garbageOfFiles*9/10 {
		t.Errorf("the heap is collected %d MiB later", more>>20)
	}
}

func TestBallastIsNotForOperatorsWhoSetLimits(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "50")
			if held := ballast(1 << 20); held != nil {
				t.Errorf("%d bytes", len(held))
			}
		})
	}
}

// collectedAt is the size of the heap at which it is collected next.
func collectedAt() uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
