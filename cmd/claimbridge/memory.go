package main

import "os"

// What of the heap a command that converts leaves uncollected: claims leave little alive, and much
// garbage. From 13 MiB of garbage on more memory saves hardly anything; a file of 500 bytes that is
// converted in place makes 60 KiB, so that Go collects every 900 files, and not every 150, which
// saves a tenth of the processor time.
const (
	garbageOfStream = 16 << 20
	garbageOfFiles  = 64 << 20
)

// ballast counts as alive as long as somebody holds it, and Go collects when the heap has doubled.
// Nobody writes to it, so that it takes addresses and no memory. Where GOGC or GOMEMLIMIT is set
// the operator has decided.
func ballast(size int) []byte {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := os.LookupEnv(name); set {
			return nil
		}
	}
	return make([]byte, size)
}
