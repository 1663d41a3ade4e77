package main

import (
	"math"
	"runtime/debug"
)

// leaveRoom keeps the collector an eighth below GOMEMLIMIT. In the manifests that is all that the container may have, and the
// pages of the program itself (some 40 MiB) and what the kernel keeps for connections are in it as well. The server's own
// bounds are made from the whole before.
func leaveRoom() {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit - limit/8)
	}
}
