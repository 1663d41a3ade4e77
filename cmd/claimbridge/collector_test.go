package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestPercentFor(t *testing.T) {
	const MiB = 1 << 20
	for _, test := range []struct {
		live, roots, floor uint64
		want               int
	}{
		{0, 0, 16 * MiB, 400}, {2 * MiB, 0, 16 * MiB, 400}, {3 * MiB, MiB / 4, 16 * MiB, 400}, {4 * MiB, 0, 16 * MiB, 300}, {4 * MiB, MiB, 16 * MiB, 240},
		{8 * MiB, 0, 16 * MiB, 100}, {15 * MiB, 0, 16 * MiB, 100}, {16 * MiB, 0, 16 * MiB, 100}, {64 * MiB, MiB, 16 * MiB, 100},
	} {
		if got := percentFor(test.live, test.roots, test.floor); got != test.want {
			t.Errorf("%d bytes alive and %d of roots may grow by %d %%, want %d", test.live, test.roots, got, test.want)
		}
	}
}

// TestTheHeapFloorFollowsTheLiveHeap, which here is a small one, then a big one and then small again.
func TestTheHeapFloorFollowsTheLiveHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(goPercent))
	t.Setenv("GOGC", "") // so that it is restored
	_ = os.Unsetenv("GOGC")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const floor = 64 << 20
	small := func() bool { goal := heapGoal(); return goal > floor*3/4 && goal < floor*3/2 }

	keepHeapFloor(ctx, floor)
	collectUntil(t, "the floor is where the heap is collected", small)
	much := make([]byte, floor)
	collectUntil(t, "a big heap may double", func() bool { goal := heapGoal(); return goal > 2*floor && goal < 3*floor })
	runtime.KeepAlive(much)
	collectUntil(t, "the floor is back", small)
}

func TestAnOperatorsGOGCIsLeftAlone(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(goPercent))
	t.Setenv("GOGC", "50")
	keepHeapFloor(t.Context(), 1<<30)
	if got := debug.SetGCPercent(goPercent); got != goPercent {
		t.Errorf("GOGC became %d", got)
	}
}

// collectUntil something holds. What follows a collection is done a moment later.
func collectUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 100 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		if holds() {
			return
		}
	}
	t.Fatalf("it never came to this: %s (the goal is %d MiB)", what, heapGoal()>>20)
}

func heapGoal() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
