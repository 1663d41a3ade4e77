package main

import (
	"math"
	"os"
	"runtime/debug"
)

// What of the heap a command that converts leaves uncollected: claims leave little alive, and much garbage. From 13 MiB of garbage on
// more memory saves hardly anything; a file of 500 bytes that is converted in place makes 60 KiB, so that Go collects every 900
// files, and not every 150, which saves a tenth of the processor time.
const (
	garbageOfStream = 16 << 20
	garbageOfFiles  = 64 << 20
)

// ballast counts as alive as long as somebody holds it, and Go collects when the heap has doubled. Nobody writes to it, so that it takes
// addresses and no memory. Where GOGC or GOMEMLIMIT is set the operator has decided.
func ballast(size int) []byte {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := os.LookupEnv(name); set {
			return nil
		}
	}
	return make([]byte, size)
}

// leaveRoom keeps the collector a quarter below GOMEMLIMIT. In the manifests that is all that the container may have, and the
// pages of the program itself (some 40 MiB) and what the kernel keeps for connections are in it as well. A collector that shares
// its cores is late besides: with an eighth, eight big requests at once beside other work took 548 of 537 MB. The server's own
// bounds are made from the whole before.
func leaveRoom() {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit - limit/4)
	}
}
