package main

import (
	"context"
	"math"
	"runtime/debug"
	"time"
)

// memoryLimit is GOMEMLIMIT; 0 when there is none.
func memoryLimit() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	return 0
}

// leaveRoom keeps the collector a quarter below GOMEMLIMIT, as in claimbridge itself. In the manifests that is all that the container may have,
// and the pages of the program and what the kernel keeps for connections are in it as well.
func leaveRoom() {
	if limit := memoryLimit(); limit != 0 {
		debug.SetMemoryLimit(limit - limit/4)
	}
}

// afterStart is when the API servers have asked for discovery and OpenAPI documents, which are made then.
const afterStart = 45 * time.Second

// giveBack to the system what starting has left behind, a third of the heap, which Go would keep for the next two minutes and then collect
// when as much again has been made: with nobody calling, hours later.
func giveBack(ctx context.Context) {
	select {
	case <-time.After(afterStart):
		debug.FreeOSMemory()
	case <-ctx.Done():
	}
}
