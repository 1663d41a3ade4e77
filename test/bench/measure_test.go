//go:build linux

package bench

import (
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// pid is the ID of a process.
type pid int

// self is this process.
var self = pid(os.Getpid())

// measureCalls calls a function b.N times, from concurrent callers. It reports the median and the 99th percentile of
// the latencies, and the processor time of the processes per call.
func measureCalls(b *testing.B, callers int, call func(i int) error, processes ...pid) {
	b.Helper()
	latencies := make([]time.Duration, b.N)
	var started atomic.Int64
	var group errgroup.Group
	before := processorTime(b, processes...)
	b.ResetTimer()
	for range callers {
		group.Go(func() error {
			for {
				i := int(started.Add(1)) - 1
				if i >= len(latencies) {
					return nil
				}
				begin := time.Now()
				if err := call(i); err != nil {
					return err
				}
				latencies[i] = time.Since(begin)
			}
		})
	}
	must.Do(b, group.Wait())
	b.StopTimer()
	reportProcessorTime(b, processorTime(b, processes...)-before)
	slices.Sort(latencies)
	b.ReportMetric(float64(latencies[len(latencies)/2]), "p50-ns/op")
	b.ReportMetric(float64(latencies[len(latencies)*99/100]), "p99-ns/op")
}

// reportProcessorTime reports processor time per operation. It is more reliable than elapsed time on a busy machine.
func reportProcessorTime(b *testing.B, total time.Duration) {
	b.ReportMetric(float64(total)/float64(b.N), "cpu-ns/op")
}

// processorTime returns the user and system time of all threads of processes. The clock counts nanoseconds, unlike
// /proc/PID/stat, which counts ticks.
func processorTime(b *testing.B, processes ...pid) (total time.Duration) {
	b.Helper()
	for _, p := range processes {
		// See clock_getcpuclockid(3): the complement of the PID, and CPUCLOCK_SCHED.
		clock := int32(^p)<<3 | 2
		var t unix.Timespec
		if err := unix.ClockGettime(clock, &t); err != nil {
			b.Fatalf("processor time of process %d: %v", p, err)
		}
		total += time.Duration(t.Nano())
	}
	return total
}

// reportMemory reports a memory field of /proc/PID/status.
func (p pid) reportMemory(b *testing.B, field, unit string) {
	b.Helper()
	bytes := must.Get(process.Memory(int(p), field))(b)
	b.ReportMetric(float64(bytes), unit)
}
