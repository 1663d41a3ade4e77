package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapFloor in bytes is how far the heap may grow before it is collected. A server that answers claims of 2 KiB has 3 MiB
// alive and makes 7 KiB of garbage a call, so Go would collect every 400 calls, which is a fifth of the processor time.
// From 13 MiB of garbage on, every 1,800 calls, more memory saves hardly anything.
const heapFloor = 16 << 20

// goPercent is Go's own GOGC: how much the heap may grow, of what is alive.
const goPercent = 100

// keepHeapFloor lets the heap grow to a floor until ctx is done; a heap that is mostly alive is collected as ever, and so
// is one that comes near GOMEMLIMIT. Where GOGC is set the operator has decided.
func keepHeapFloor(ctx context.Context, floor uint64) {
	if _, set := os.LookupEnv("GOGC"); set || ctx.Err() != nil {
		return
	}
	debug.SetGCPercent(percentFor(liveHeap(), floor))
	// What nobody refers to is found by the next collection, after which the live heap is another.
	runtime.AddCleanup(new(*byte), func(struct{}) { keepHeapFloor(ctx, floor) }, struct{}{})
}

// percentFor is how much a live heap may grow until it reaches the floor. Go adds as much again for stacks and globals,
// which here are a tenth of it.
func percentFor(live, floor uint64) int {
	live = max(live, 1<<20) // before the first collection none is known
	if live >= floor {
		return goPercent
	}
	return max(goPercent, int((floor-live)*100/live)) //nolint:gosec // at most 100 times the floor in MiB
}

// liveHeap in bytes, as the last collection found it.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
