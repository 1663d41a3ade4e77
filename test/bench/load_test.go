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

// load does something b.N times, by some callers at once, and reports how long half of the times
// took and 99 of 100, and what processes spent on it.
func load(b *testing.B, callers int, do func(i int) error, processes ...pid) {
	b.Helper()
	latencies := make([]time.Duration, b.N)
	var next atomic.Int64
	var group errgroup.Group
	spent := cpu(b, processes...)
	b.ResetTimer()
	for range callers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(latencies); i = int(next.Add(1)) - 1 {
				begun := time.Now()
				if err := do(i); err != nil {
					return err
				}
				latencies[i] = time.Since(begun)
			}
			return nil
		})
	}
	must.Do(b, group.Wait())
	b.StopTimer()
	perCall(b, cpu(b, processes...)-spent)
	slices.Sort(latencies)
	b.ReportMetric(float64(latencies[len(latencies)/2]), "p50-ns/op")
	b.ReportMetric(float64(latencies[len(latencies)*99/100]), "p99-ns/op")
}

// perCall reports processor time, which is more reliable than elapsed time on a busy machine.
func perCall(b *testing.B, spent time.Duration) {
	b.ReportMetric(float64(spent)/float64(b.N), "cpu-ns/op")
}

// pid of a process.
type pid int

var self = pid(os.Getpid())

// cpu is the time that all threads of processes have run, user and system, in nanoseconds and not in ticks.
func cpu(b *testing.B, processes ...pid) (all time.Duration) {
	b.Helper()
	for _, p := range processes {
		var t unix.Timespec
		clock := int32(^p)<<3 | 2 // the kernel's name for the processor time of a whole process
		if err := unix.ClockGettime(clock, &t); err != nil {
			b.Fatalf("processor time of process %d: %v", p, err)
		}
		all += time.Duration(t.Nano())
	}
	return all
}

// report memory of a process.
func (p pid) report(b *testing.B, field, unit string) {
	b.Helper()
	bytes := must.Get(process.Memory(int(p), field))(b)
	b.ReportMetric(float64(bytes), unit)
}
