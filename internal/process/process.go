// Package process handles the signals and the memory limit of the process.
package process

import (
	"context"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// SignalContext returns a context that is canceled by the first SIGTERM or SIGINT. A second signal has its default
// effect: it terminates the process.
func SignalContext(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
		}
		// The default handler is restored before the context is canceled, so that no second signal is lost.
		signal.Stop(signals)
		cancel()
	}()
	return ctx, cancel
}

// ReserveMemory lowers the soft memory limit of Go to three quarters of GOMEMLIMIT. It does nothing without a limit.
//
// The manifests set GOMEMLIMIT to the memory limit of the container. The container also needs memory for the pages of
// the program itself (up to 40 MiB) and for socket buffers in the kernel. In addition, a garbage collector that shares
// its cores falls behind: with a reserve of an eighth, eight large concurrent requests used 548 of 537 MB.
//
// Call it after the server has computed its limits, because they are fractions of the whole GOMEMLIMIT.
func ReserveMemory() {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit - limit/4)
	}
}
