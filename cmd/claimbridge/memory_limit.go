package main

import (
	"math"
	"runtime/debug"
)

// leaveRoom keeps the collector a quarter below GOMEMLIMIT. In the manifests that is all that the container may have, and the
// pages of the program itself (some 40 MiB) and what the kernel keeps for connections are in it as well. A collector that shares
// its cores is late besides: with an eighth, eight big requests at once beside other work took 548 of 537 MB. The server's own
// bounds are made from the whole before.
func leaveRoom() {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit - limit/4)
	}
}
