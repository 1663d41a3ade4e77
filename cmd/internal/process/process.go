// Package process is what the programs here do with their own process.
package process

import (
	"context"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// UntilSignal gives a context that ends with the first SIGTERM or SIGINT. By then a signal does again what it does by
// default: the second one ends the process.
func UntilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		select {
		case <-told:
		case <-ctx.Done():
		}
		signal.Stop(told) // before anybody hears of the end, so that no second signal is lost
		cancel()
	}()
	return ctx, cancel
}

// LeaveRoom keeps the collector a quarter below GOMEMLIMIT. In the manifests that is all that the
// container may have, and the pages of the program itself (up to 40 MiB) and what the kernel keeps
// for connections are in it as well. A collector that shares its cores is late besides: with an
// eighth, eight big requests at once beside other work took 548 of 537 MB. The server's own bounds
// are made from the whole before.
func LeaveRoom() {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit - limit/4)
	}
}
