package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapFloor in bytes is how far the heap of a command that converts may grow before it is collected: claims leave little alive, and much
// garbage. From 13 MiB of garbage on more memory saves hardly anything.
const heapFloor = 16 << 20

// filesHeapFloor is the same for files that are converted in place: a file of 500 bytes that changes makes 60 KiB of garbage, so that Go
// collects every 900 files, and not every 150, which saves a tenth of the processor time. The process has some 100 MiB then.
const filesHeapFloor = 64 << 20

const (
	// goPercent is Go's own GOGC: how much the heap may grow, of what is alive.
	goPercent = 100
	// goFloor is where Go collects at the earliest with that percentage, and in proportion with others.
	goFloor = 4 << 20
)

// keepHeapFloor lets the heap grow to a floor until ctx is done; a heap that is mostly alive is collected as ever, and so
// is one that comes near GOMEMLIMIT. Where GOGC is set the operator has decided.
func keepHeapFloor(ctx context.Context, floor uint64) {
	if _, set := os.LookupEnv("GOGC"); set || ctx.Err() != nil {
		return
	}
	live, roots := afterCollection()
	debug.SetGCPercent(percentFor(live, roots, floor))
	// What nobody refers to is found by the next collection, after which the live heap is another.
	runtime.AddCleanup(new(*byte), func(struct{}) { keepHeapFloor(ctx, floor) }, struct{}{})
}

// percentFor is how much a live heap may grow, of itself and of what the collector begins from, until it reaches the
// floor.
func percentFor(live, roots, floor uint64) int {
	if live >= floor {
		return goPercent
	}
	most := floor * 100 / goFloor
	return int(max(goPercent, min(most, (floor-live)*100/max(live+roots, 1)))) //nolint:gosec // at most 25 times the floor in MiB
}

// afterCollection tells how many bytes the last collection found alive in the heap, and how many of stacks and globals it
// began from; 0 before the first one.
func afterCollection() (live, roots uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/globals:bytes"}, {Name: "/gc/scan/stack:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64() + samples[2].Value.Uint64()
}
